import { useQuery } from '@tanstack/react-query'
import { serviceQueries } from '#data/service.ts'
import { formatTimeUtc } from '#format/time.ts'
import { useStaleSince } from '#state/freshness.ts'
import classes from './state-strip.module.css'

/** SHELL-1, SHELL-7: whether the server answers and, when polling fails, the age of the figures. */
export function ConnectionState() {
  const { status } = useQuery(serviceQueries.health())
  const staleSince = useStaleSince()
  const tone = useConnectionTone()
  return (
    <span role="status" aria-label="Connection" className={classes.connection} data-tone={tone}>
      <i className={classes.dot} aria-hidden />
      <span>{sentence(status, staleSince)}</span>
    </span>
  )
}

/** Bad while the server does not answer or the figures are old. */
export function useConnectionTone(): 'good' | 'bad' | 'calm' {
  const { status } = useQuery(serviceQueries.health())
  const staleSince = useStaleSince()
  if (status === 'error' || staleSince !== undefined) return 'bad'
  return status === 'pending' ? 'calm' : 'good'
}

function sentence(status: 'pending' | 'error' | 'success', staleSince: number | undefined): string {
  if (status === 'success' && staleSince === undefined) return 'Online'
  const age = staleSince === undefined ? '' : ` · as of ${formatTimeUtc(new Date(staleSince))}`
  if (status === 'error') return `Connection lost${age}`
  return staleSince === undefined ? 'Connecting to server' : `Data is stale${age}`
}
