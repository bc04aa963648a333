import type { SettingDifference } from '@binnacle/contract'
import { live } from './copy.ts'
import classes from './difference-list.module.css'
import { labelOf } from './live-fields.tsx'

export interface DifferenceListProps {
  label: string
  changes: readonly SettingDifference[]
}

/** What each setting was and what it is then. */
export function DifferenceList({ label, changes }: DifferenceListProps) {
  return (
    <ul className={classes.list} aria-label={label}>
      {changes.map(({ key, before, after }) => (
        <li key={key} className={classes.change}>
          <span>{labelOf(key)}</span>
          <span className={classes.values}>
            <del>{before || live.empty}</del> <span aria-hidden>→</span> <ins>{after || live.empty}</ins>
          </span>
        </li>
      ))}
    </ul>
  )
}
