import classes from './freshness-dot.module.css'

export type FreshnessName = 'live' | 'delayed' | 'stale' | 'stopped' | 'disconnected'

export interface FreshnessDotProps {
  freshness: FreshnessName
}

/** A sign of freshness for one row: full, half, ring, square or cross, so that shape says it before colour. */
export function FreshnessDot({ freshness }: FreshnessDotProps) {
  return (
    <svg
      className={classes.dot}
      data-freshness={freshness}
      viewBox="0 0 8 8"
      role="img"
      aria-label={freshness}
    >
      {freshness === 'live' && <circle cx="4" cy="4" r="3.5" />}
      {freshness === 'delayed' && (
        <>
          <circle className={classes.ring} cx="4" cy="4" r="3" />
          <path d="M4 1a3 3 0 0 0 0 6Z" />
        </>
      )}
      {freshness === 'stale' && <circle className={classes.ring} cx="4" cy="4" r="3" />}
      {freshness === 'stopped' && <path d="M1 1h6v6H1Z" />}
      {freshness === 'disconnected' && <path className={classes.ring} d="m1 1 6 6M7 1 1 7" />}
    </svg>
  )
}
