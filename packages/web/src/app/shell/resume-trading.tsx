import { useChangeTradingState } from '#data/trading-state.ts'
import { tradingStateFailures } from '#state/trading-state-failures.ts'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'

/** Asks for confirmation and sets the trading state to ACTIVE. */
export function ResumeTrading() {
  const change = useChangeTradingState(tradingStateFailures)
  const { ask, dialog } = useConfirm()
  return (
    <>
      <Button
        busy={change.isPending}
        onClick={() => ask({ ...CONFIRMATION, onConfirm: () => change.run('ACTIVE') })}
      >
        {CONFIRMATION.action}
      </Button>
      {dialog}
    </>
  )
}

const CONFIRMATION = {
  question: 'Resume trading?',
  action: 'Resume Trading',
  detail: 'Manual and strategy orders will be accepted again.',
}
