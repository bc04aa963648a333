import type { TradingState } from '@binnacle/contract'
import { useChangeTradingState, useTradingState } from '#data/trading-state.ts'
import { formatInstant } from '#format/time.ts'
import { showProblem } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'
import tones from '#ui/look/tone.module.css'
import type { Tone } from '#ui/look/tone.ts'
import classes from './trading-bar.module.css'

const LIMITED: Record<Exclude<TradingState['state'], 'ACTIVE'>, { tone: Tone; title: string }> = {
  HALTED: { tone: 'bad', title: 'Trading is halted: no order is let through.' },
  REDUCING: {
    tone: 'warn',
    title: 'Trading is reduced: only orders that reduce a position are let through.',
  },
}

/** RISK-20: while orders are held back, every screen says so, says why, and offers the way out. */
export function TradingBar() {
  const current = useTradingState()
  const change = useChangeTradingState({ onFailure: showProblem })
  const { ask, dialog } = useConfirm()
  if (current === undefined || current.state === 'ACTIVE') return dialog
  const { tone, title } = LIMITED[current.state]
  return (
    <section aria-label="Trading state" className={`${classes.bar} ${tones[tone]}`} data-tone={tone}>
      <p className={classes.words}>
        <strong>{title}</strong>{' '}
        <span className={classes.reason}>
          {current.reason} {current.since !== null && `Since ${formatInstant(current.since)}.`}
        </span>
      </p>
      <Button busy={change.isPending} onClick={() => ask(QUESTION, () => change.run('ACTIVE'))}>
        Resume Trading
      </Button>
      {dialog}
    </section>
  )
}

const QUESTION = 'Resume trading? Orders of people and of running strategies are let through again.'
