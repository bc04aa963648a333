import { type ComponentType, Suspense } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { useLocation } from 'react-router'
import { useEmergency } from '#data/emergency.ts'
import { useTradingState } from '#data/trading-state.ts'
import { formatInstant } from '#format/time.ts'
import { paths } from '#paths.ts'
import { TextLink } from '#ui/control/text-link.tsx'
import { discardFailedLoads, lazyPart } from '#ui/state/lazy-part.tsx'
import classes from './status-bar.module.css'
import { StatusBar } from './status-bar.tsx'

/** Loaded on demand: dialogs are larger than the rest of the shell. */
const ResumeTrading = lazyPart(async () => (await import('./resume-trading.tsx')).ResumeTrading)

export interface TradingBarProps {
  /** A separate chunk, which may fail to load; the bar then links to the risk screen. */
  ResumeControl?: ComponentType
}

/** RISK-20: shown on every screen while trading is not ACTIVE, also when the server no longer answers. */
export function TradingBar({ ResumeControl = ResumeTrading }: TradingBarProps) {
  const current = useTradingState()
  const emergency = useEmergency()
  const { pathname } = useLocation()
  if (current === undefined || current.state === 'ACTIVE') return null
  const { state, reason, since } = current
  const isHalted = state === 'HALTED'
  return (
    <StatusBar label="Trading restricted" tone={isHalted ? 'bad' : 'warn'}>
      <p className={classes.words}>
        <strong>{isHalted ? HALTED : REDUCING}</strong>{' '}
        {emergency?.is_active && (
          <strong>
            {emergency.open.length} {emergency.open.length === 1 ? 'position' : 'positions'} still open.{' '}
          </strong>
        )}
        <span className={classes.reason}>
          {reason} {since !== null && `Since ${formatInstant(since)}.`}
        </span>
      </p>
      <ErrorBoundary
        fallback={<TextLink to={paths.risk}>Go to Risk Management</TextLink>}
        onError={discardFailedLoads}
        resetKeys={[pathname]}
      >
        <Suspense fallback={null}>
          <ResumeControl />
        </Suspense>
      </ErrorBoundary>
    </StatusBar>
  )
}

const HALTED = 'Trading is halted: all orders are blocked.'
const REDUCING = 'Reduce-only: orders that open or add are blocked.'
