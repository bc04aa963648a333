import { useQuery } from '@tanstack/react-query'
import { serviceQueries } from '#data/service.ts'
import { formatTimeUtc } from '#format/time.ts'
import { useStaleSince } from '#state/freshness.ts'
import { Badge } from '#ui/figure/badge.tsx'

/** SHELL-1, SHELL-7: whether the server answers and, when polling fails, the age of the figures. */
export function ConnectionPill() {
  const { status } = useQuery(serviceQueries.health())
  const staleSince = useStaleSince()
  return (
    <span role="status" aria-label="Connection">
      {status === 'pending' && <Badge tone="calm">Connecting to server</Badge>}
      {status === 'success' && staleSince === undefined && (
        <Badge tone="good" dot>
          Online
        </Badge>
      )}
      {(status === 'error' || staleSince !== undefined) && (
        <Badge tone="bad" dot>
          {status === 'error' ? 'Connection lost' : 'Data is stale'}
          {staleSince !== undefined && ` · as of ${formatTimeUtc(new Date(staleSince))}`}
        </Badge>
      )}
    </span>
  )
}
