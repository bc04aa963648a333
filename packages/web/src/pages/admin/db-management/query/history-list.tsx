import type { QueryHistoryItem } from '@binnacle/contract'
import { formatInstant } from '#format/time.ts'
import { Badge } from '#ui/figure/badge.tsx'
import { PickItem, PickList } from '#ui/list/pick-list.tsx'
import { copy } from './copy.ts'
import classes from './history-list.module.css'

export interface HistoryListProps {
  entries: readonly QueryHistoryItem[]
  onPick: (query: string) => void
}

export function HistoryList({ entries, onPick }: HistoryListProps) {
  return (
    <PickList label={copy.history}>
      {entries.map((entry) => (
        <PickItem key={String(entry.id)} onPick={() => onPick(entry.query)}>
          <span className={classes.query}>{entry.query}</span>
          <span className={classes.foot}>
            <Badge tone={entry.status === 'success' ? 'good' : 'bad'}>{entry.status}</Badge>
            <span>{formatInstant(entry.executed_at)}</span>
            {typeof entry.execution_time === 'number' && <span>{copy.took(entry.execution_time)}</span>}
            {entry.error_message && <span className={classes.error}>{entry.error_message}</span>}
          </span>
        </PickItem>
      ))}
    </PickList>
  )
}

/** DB-18 */
const SHOWN_ENTRIES = 10

/** Newest first. If any entry has no valid time, the order of the backend stays. */
export function latestEntries(history: readonly QueryHistoryItem[]): readonly QueryHistoryItem[] {
  const isDated = history.every(({ executed_at: at }) => !Number.isNaN(Date.parse(at)))
  const ordered = isDated
    ? history.toSorted((a, b) => Date.parse(b.executed_at) - Date.parse(a.executed_at))
    : history
  return ordered.slice(0, SHOWN_ENTRIES)
}
