import { TRADING_STATES, type TradingState } from '@binnacle/contract'
import { formatInstant } from '#format/time.ts'
import { Button } from '#ui/control/button.tsx'
import { Card } from '#ui/frame/card.tsx'
import type { Tone } from '#ui/look/tone.ts'
import { Notice, type NoticeProps } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import classes from './trading-panel.module.css'

export interface TradingPanelProps {
  current: TradingState
  /** Names of stopped components without which orders are refused. */
  stoppedGates: readonly string[]
  /** Whether Risk Management is off, so that the limits do not count. */
  areLimitsOff: boolean
  busy: boolean
  onChange: (state: TradingState['state']) => void
}

const tones: Record<TradingState['state'], Tone> = { ACTIVE: 'good', REDUCING: 'warn', HALTED: 'bad' }

/** RISK-21: halt, reduce only and resume. */
export function TradingPanel({ current, stoppedGates, areLimitsOff, busy, onChange }: TradingPanelProps) {
  const { state, reason, since } = current
  const { trading } = copy
  return (
    <Card title={trading.title}>
      <Notice {...headline(state, stoppedGates, areLimitsOff)}>
        {reason} {since !== null && trading.since(formatInstant(since))}
      </Notice>
      <div className={classes.actions}>
        {TRADING_STATES.toReversed()
          .filter((other) => other !== state)
          .map((other) => (
            <Button
              key={other}
              kind={other === 'HALTED' ? 'danger' : 'plain'}
              busy={busy}
              onClick={() => onChange(other)}
            >
              {trading.actions[other]}
            </Button>
          ))}
      </div>
    </Card>
  )
}

/** RISK-26, RISK-100: ACTIVE is qualified while a stopped component refuses orders, and while limits are not checked. */
function headline(
  state: TradingState['state'],
  stoppedGates: readonly string[],
  areLimitsOff: boolean,
): NoticeProps {
  const { trading } = copy
  if (state === 'ACTIVE') {
    if (stoppedGates.length > 0) return { tone: 'warn', title: trading.stoppedGates(stoppedGates.join(', ')) }
    if (areLimitsOff) return { tone: 'warn', title: trading.unchecked }
  }
  return { tone: tones[state], title: trading.states[state] }
}
