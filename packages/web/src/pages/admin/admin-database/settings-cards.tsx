import type { Setting } from '@binnacle/contract'
import type { ReactNode } from 'react'
import { Card } from '#ui/frame/card.tsx'
import { copy } from './copy.ts'
import classes from './settings-cards.module.css'

export interface SettingsCardsProps {
  settings: readonly Setting[]
  row: (setting: Setting) => ReactNode
}

export function SettingsCards({ settings, row }: SettingsCardsProps) {
  if (settings.length === 0) {
    return (
      <Card title={copy.settings}>
        <p className={classes.none}>{copy.noSettings}</p>
      </Card>
    )
  }
  return groupSettings(settings, copy.noCategory).map(({ category, settings: settingsOfCategory }) => (
    <Card key={category} title={category}>
      <ul className={classes.list} aria-label={category}>
        {settingsOfCategory.map(row)}
      </ul>
    </Card>
  ))
}

interface SettingGroup {
  category: string
  settings: readonly Setting[]
}

/** ADB-1: settings by category, both in the order the server gave. */
export function groupSettings(settings: readonly Setting[], fallback: string): readonly SettingGroup[] {
  const groups = Map.groupBy(settings, ({ category }) => category || fallback)
  return [...groups].map(([category, settingsOfCategory]) => ({ category, settings: settingsOfCategory }))
}
