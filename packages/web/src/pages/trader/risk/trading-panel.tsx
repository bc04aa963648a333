import { TRADING_STATES, type TradingState } from '@binnacle/contract'
import { formatInstant } from '#format/time.ts'
import { Button } from '#ui/control/button.tsx'
import { Card } from '#ui/frame/card.tsx'
import type { Tone } from '#ui/look/tone.ts'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import classes from './trading-panel.module.css'

export interface TradingPanelProps {
  current: TradingState
  busy: boolean
  onChange: (state: TradingState['state']) => void
}

const tones: Record<TradingState['state'], Tone> = { ACTIVE: 'good', REDUCING: 'warn', HALTED: 'bad' }

/** RISK-21: the emergency stop and the way back. */
export function TradingPanel({ current: { state, reason, since }, busy, onChange }: TradingPanelProps) {
  const { trading } = copy
  return (
    <Card title={trading.title}>
      <Notice tone={tones[state]} title={trading.states[state]}>
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
