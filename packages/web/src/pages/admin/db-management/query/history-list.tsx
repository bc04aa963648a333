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
