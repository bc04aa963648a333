import { useChangeTradingState } from '#data/trading-state.ts'
import { showProblem } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'

/** The way out of a trading state that holds orders back. */
export function ResumeTrading() {
  const change = useChangeTradingState({ onFailure: showProblem })
  const { ask, dialog } = useConfirm()
  return (
    <>
      <Button busy={change.isPending} onClick={() => ask(QUESTION, () => change.run('ACTIVE'))}>
        Resume Trading
      </Button>
      {dialog}
    </>
  )
}

const QUESTION = 'Resume trading? Orders of people and of running strategies are let through again.'
