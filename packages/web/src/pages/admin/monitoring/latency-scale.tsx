import classes from './latency-scale.module.css'

export interface LatencyScaleProps {
  p50: number
  p95: number
  p99: number
  isBad: boolean
}

const LOWEST_MS = 0.1
const HIGHEST_MS = 10_000

/** Milliseconds that the head of the column names. */
export const SCALE_MARKS = [1, 10, 100, 1000]

/** Percentiles on a logarithmic axis: dot p50, tick p95, ring p99. The figures stand beside it. */
export function LatencyScale({ p50, p95, p99, isBad }: LatencyScaleProps) {
  return (
    <div className={classes.scale} data-tone={isBad ? 'bad' : undefined} aria-hidden>
      {SCALE_MARKS.map((mark) => (
        <u key={mark} style={{ left: `${placeOf(mark)}%` }} />
      ))}
      <s style={{ left: `${placeOf(p50)}%`, width: `${placeOf(p99) - placeOf(p50)}%` }} />
      <i data-mark="p50" style={{ left: `${placeOf(p50)}%` }} />
      <i data-mark="p95" style={{ left: `${placeOf(p95)}%` }} />
      <i data-mark="p99" style={{ left: `${placeOf(p99)}%` }} />
    </div>
  )
}

function placeOf(ms: number): number {
  const bounded = Math.min(HIGHEST_MS, Math.max(LOWEST_MS, ms))
  return (Math.log(bounded / LOWEST_MS) / Math.log(HIGHEST_MS / LOWEST_MS)) * 100
}
