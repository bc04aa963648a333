import { type KeyboardEvent, type ReactNode, useId } from 'react'
import classes from './tabs.module.css'

export interface TabsProps<Name extends string> {
  label: string
  tabs: readonly { name: Name; label: string }[]
  active: Name
  onChange: (name: Name) => void
  /** The content of the active tab; the others are not rendered. */
  children: ReactNode
}

export function Tabs<Name extends string>({ label, tabs, active, onChange, children }: TabsProps<Name>) {
  const id = useId()
  return (
    <div>
      <div role="tablist" aria-label={label} className={classes.list} onKeyDown={moveByKey}>
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`${id}-${tab.name}`}
            aria-selected={tab.name === active}
            aria-controls={tab.name === active ? `${id}-panel` : undefined}
            tabIndex={tab.name === active ? 0 : -1}
            className={classes.tab}
            onClick={() => onChange(tab.name)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div
        key={active}
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${active}`}
        className={classes.panel}
      >
        {children}
      </div>
    </div>
  )
}

/** The arrow keys choose the tab beside, Home and End the first and the last. */
function moveByKey(event: KeyboardEvent<HTMLElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')]
  const current = tabs.findIndex((tab) => tab.tabIndex === 0)
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: current + 1,
    ArrowLeft: current - 1,
    Home: 0,
    End: -1,
  }
  const next = steps[event.key]
  if (next === undefined) return
  event.preventDefault()
  const chosen = tabs.at(next % tabs.length)
  chosen?.focus()
  chosen?.click()
}
