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
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const matches = destinations.filter(({ label, area }) => matchesWords(`${area} ${label}`, query))
  const optionId = (index: number) => `${listId}-${index}`

  const go = (path: string | undefined) => {
    if (path === undefined) return
    onClose()
    leave(path)
  }
  const onKeyDown = (event: KeyboardEvent) => {
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
        value={query}
        onChange={(text) => {
          setQuery(text)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={listId} role="listbox" aria-label="Screens" className={classes.list}>
        {matches.map(({ path, label, area }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above moves in this list by keyboard
          <div
            key={path}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            ref={index === active ? scrollIntoView : null}
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
      {matches.length === 0 && <p className={classes.none}>No screen matches “{query}”.</p>}
    </Dialog>
  )
}

/** A stable function, so that React calls it only when another option becomes the active one. */
function scrollIntoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' })
}

function matchesWords(text: string, query: string): boolean {
  const words = query.toLowerCase().split(/\s+/)
  return words.every((word) => text.toLowerCase().includes(word))
}
