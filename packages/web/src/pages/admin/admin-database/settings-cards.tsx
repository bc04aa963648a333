import type { Setting } from '@binnacle/contract'
import type { ReactNode } from 'react'
import { Card } from '#ui/frame/card.tsx'
import { copy } from './copy.ts'
import { groupSettings } from './setting-groups.ts'
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
  return groupSettings(settings, copy.noCategory).map(({ category, settings: members }) => (
    <Card key={category} title={category}>
      <ul className={classes.list} aria-label={category}>
        {members.map(row)}
      </ul>
    </Card>
  ))
}
