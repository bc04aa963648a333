import { formatTimeUtc } from '#format/time.ts'
import { StatusDot } from '#ui/figure/status-dot.tsx'
import type { Tone } from '#ui/look/tone.ts'
import classes from './freshness-badge.module.css'
import { FreshnessDot } from './freshness-dot.tsx'

const MARKS = {
  live: { tone: 'good', word: 'Live' },
  delayed: { tone: 'info', word: 'Delayed' },
  stale: { tone: 'warn', word: 'Stale' },
  stopped: { tone: 'bad', word: 'Stopped' },
  disconnected: { tone: 'bad', word: 'Disconnected' },
} as const satisfies Record<string, { tone: Tone; word: string }>

export interface FreshnessBadgeProps {
  freshness: keyof typeof MARKS
  /** When the figures were loaded. */
  asOf?: number | undefined
}

interface SizedProps extends FreshnessBadgeProps {
  /** In a narrow head a sign alone, or with the time, has room; the whole text is on hover and read aloud. */
  size?: 'full' | 'short' | 'sign'
}

/** How fresh the figures beside it are. */
export function FreshnessBadge({ freshness, asOf, size = 'full' }: SizedProps) {
  const { tone, word } = MARKS[freshness]
  const time = asOf === undefined ? undefined : formatTimeUtc(new Date(asOf))
  const text = time === undefined ? word : `${word} · as of ${time}`
  if (size !== 'full')
    return (
      <span className={classes.mark} role="status" aria-label="Freshness" title={text}>
        <span className={classes.sign} aria-hidden>
          <FreshnessDot freshness={freshness} />
        </span>
        <span className={classes.hidden}>{text}</span>
        {size === 'short' && (
          <span data-brief={freshness} aria-hidden>
            {time === undefined ? word : `as of ${time.replace(' UTC', '')}`}
          </span>
        )}
      </span>
    )
  return (
    <span className={classes.mark} role="status" aria-label="Freshness">
      <StatusDot tone={tone} />
      {text}
    </span>
  )
}

/** The same for one panel, as a dot with its words on hover; the page's mark says the worst in words. */
export function PanelFreshness({ freshness, asOf }: FreshnessBadgeProps) {
  const { tone, word } = MARKS[freshness]
  const text = asOf === undefined ? word : `${word} · as of ${formatTimeUtc(new Date(asOf))}`
  return (
    <span className={classes.mark} title={text} role="img" aria-label={text}>
      <StatusDot tone={tone} />
      {freshness !== 'live' && text}
    </span>
  )
}
