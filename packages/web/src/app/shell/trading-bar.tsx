import { type ComponentType, lazy, Suspense } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { useTradingState } from '#data/trading-state.ts'
import { formatInstant } from '#format/time.ts'
import { paths } from '#paths.ts'
import { TextLink } from '#ui/control/text-link.tsx'
import tones from '#ui/look/tone.module.css'
import classes from './held-trading.module.css'

/** Rarely needed, and what dialogs need weighs more than the rest of the frame. */
const ResumeTrading = lazy(async () => ({ default: (await import('./resume-trading.tsx')).ResumeTrading }))

export interface TradingBarProps {
  /** The way out, which may fail to load: all else of the bar must not depend on it. */
  WayOut?: ComponentType
}

/** RISK-20: while orders are held back, every screen says so and why, even when the server is gone by then. */
export function TradingBar({ WayOut = ResumeTrading }: TradingBarProps) {
  const current = useTradingState()
  if (current === undefined || current.state === 'ACTIVE') return null
  const { state, reason, since } = current
  const isHalted = state === 'HALTED'
  const tone = isHalted ? 'bad' : 'warn'
  return (
    <section aria-label="Trading is held back" className={`${classes.bar} ${tones[tone]}`} data-tone={tone}>
      <p className={classes.words}>
        <strong>{isHalted ? HALTED : REDUCING}</strong>{' '}
        <span className={classes.reason}>
          {reason} {since !== null && `Since ${formatInstant(since)}.`}
        </span>
      </p>
      <ErrorBoundary fallback={<TextLink to={paths.risk}>Go to Risk Management</TextLink>}>
        <Suspense fallback={null}>
          <WayOut />
        </Suspense>
      </ErrorBoundary>
    </section>
  )
}

const HALTED = 'Trading is halted: no order is let through.'
const REDUCING = 'Trading is reduced: only orders that reduce a position are let through.'
