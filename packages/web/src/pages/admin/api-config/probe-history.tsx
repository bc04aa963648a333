import type { ProbeRecord } from '@binnacle/contract'
import { formatDateTime } from '#format/time.ts'
import { copy } from './copy.ts'
import classes from './probe-history.module.css'

export interface ProbeHistoryProps {
  history: readonly ProbeRecord[]
  /** From 0 to 1. */
  uptime: number
}

/** API-38: one bar per probe, oldest first, and the share of time up. */
export function ProbeHistory({ history, uptime }: ProbeHistoryProps) {
  const slowest = Math.max(...history.map(({ response_time }) => response_time ?? 0), 1)
  return (
    <span className={classes.history}>
      <span className={classes.bars} role="img" aria-label={copy.probes.history(history.length)}>
        {history.map(({ at, response_time, error }) => (
          <i
            key={at}
            data-failed={error != null || undefined}
            title={`${formatDateTime(at)}: ${error ?? copy.milliseconds(response_time ?? 0)}`}
            style={{ height: `${error == null ? 25 + (75 * (response_time ?? 0)) / slowest : 100}%` }}
          />
        ))}
      </span>
      <span>{copy.probes.uptime((uptime * 100).toFixed(1))}</span>
    </span>
  )
}
