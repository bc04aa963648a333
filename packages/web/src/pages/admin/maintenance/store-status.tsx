import type { StoreStatus as Status } from '@binnacle/contract'
import { formatBytes } from '#format/bytes.ts'
import { formatInstant } from '#format/time.ts'
import { copy } from './copy.ts'
import classes from './maintenance-page.module.css'

export interface StoreStatusProps {
  status: Status
}

/** MAINT-21: what the actions of the card work on, and when they last did. */
export function StoreStatus({ status }: StoreStatusProps) {
  const { name, target, size, error, last_backup, last_optimized } = status
  const lines = [
    [copy.target, `${name} (${target})`],
    [copy.size, size === null || size === undefined ? (error ?? copy.unknownSize) : formatBytes(size)],
    [copy.lastBackup, last_backup ? formatInstant(last_backup) : copy.never],
    [copy.lastOptimized, last_optimized ? formatInstant(last_optimized) : copy.never],
  ] as const
  return (
    <dl className={classes.status}>
      {lines.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
