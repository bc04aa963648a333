import type { TradingState } from '@binnacle/contract'
import { useChangeTradingState } from '#data/trading-state.ts'
import { formatInstant } from '#format/time.ts'
import { showProblem } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'
import tones from '#ui/look/tone.module.css'
import classes from './held-trading.module.css'

export interface HeldTradingProps {
  current: TradingState
}

/** Says what is held back and why, and offers the way out. */
export function HeldTrading({ current: { state, reason, since } }: HeldTradingProps) {
  const change = useChangeTradingState({ onFailure: showProblem })
  const { ask, dialog } = useConfirm()
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
      <Button busy={change.isPending} onClick={() => ask(QUESTION, () => change.run('ACTIVE'))}>
        Resume Trading
      </Button>
      {dialog}
    </section>
  )
}

const HALTED = 'Trading is halted: no order is let through.'
const REDUCING = 'Trading is reduced: only orders that reduce a position are let through.'
const QUESTION = 'Resume trading? Orders of people and of running strategies are let through again.'
