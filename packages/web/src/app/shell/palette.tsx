import { type KeyboardEvent, useId, useState } from 'react'
import { areas } from '#app/navigation.ts'
import { toggleUpDown, usePreferences } from '#state/preferences.ts'
import { useLeave } from '#state/unsaved.ts'
import { Button } from '#ui/control/button.tsx'
import { Dialog } from '#ui/control/dialog.tsx'
import { TextField } from '#ui/control/field.tsx'
import classes from './palette.module.css'
import { UP_DOWN_NAMES } from './up-down-names.ts'

export interface PaletteProps {
  onClose: () => void
}

const destinations = areas.flatMap((area) => area.items.map((item) => ({ ...item, area: area.label })))

/** All screens, filtered by the typed words. */
export function Palette({ onClose }: PaletteProps) {
  const leave = useLeave()
  const { upDown } = usePreferences()
  const listId = useId()
  const [sought, setSought] = useState('')
  const [active, setActive] = useState(0)
  const matches = destinations.filter(({ label, area }) => matchesWords(`${area} ${label}`, sought))
  const optionId = (index: number) => `${listId}-${index}`

  const go = (path: string | undefined) => {
    if (path === undefined) return
    onClose()
    leave(path)
  }
  const steer = (event: KeyboardEvent) => {
    if (event.key === 'Enter') return go(matches[active]?.path)
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined || matches.length === 0) return
    event.preventDefault()
    setActive((active + step + matches.length) % matches.length)
  }

  return (
    <Dialog title="Go to" opened onClose={onClose}>
      <TextField
        label="Screen"
        labelHidden
        placeholder="Type the name of a screen"
        data-autofocus
        autoComplete="off"
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={matches.length > 0 ? optionId(active) : undefined}
        value={sought}
        onChange={(text) => {
          setSought(text)
          setActive(0)
        }}
        onKeyDown={steer}
      />
      <div id={listId} role="listbox" aria-label="Screens" className={classes.list}>
        {matches.map(({ path, label, area }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above steers this list by keyboard
          <div
            key={path}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={classes.option}
            onClick={() => go(path)}
          >
            {label}
            <small>{area}</small>
          </div>
        ))}
      </div>
      <Button kind="quiet" onClick={toggleUpDown}>
        {UP_DOWN_NAMES[upDown]}
      </Button>
      {matches.length === 0 && <p className={classes.none}>No screen matches “{sought}”.</p>}
    </Dialog>
  )
}

function matchesWords(text: string, sought: string): boolean {
  const words = sought.toLowerCase().split(/\s+/)
  return words.every((word) => text.toLowerCase().includes(word))
}
