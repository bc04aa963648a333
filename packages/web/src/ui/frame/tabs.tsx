import '@mantine/core/styles/Tabs.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import { Tabs as MantineTabs } from '@mantine/core'
import type { ReactNode } from 'react'
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
  const choose = (chosen: string | null) => {
    const tab = tabs.find(({ name }) => name === chosen)
    if (tab) onChange(tab.name)
  }
  return (
    <MantineTabs value={active} onChange={choose} keepMounted={false}>
      <MantineTabs.List aria-label={label} className={classes.list ?? ''}>
        {tabs.map((tab) => (
          <MantineTabs.Tab key={tab.name} value={tab.name} className={classes.tab ?? ''}>
            {tab.label}
          </MantineTabs.Tab>
        ))}
      </MantineTabs.List>
      {tabs.map((tab) => (
        <MantineTabs.Panel key={tab.name} value={tab.name} className={classes.panel ?? ''}>
          {tab.name === active && children}
        </MantineTabs.Panel>
      ))}
    </MantineTabs>
  )
}
