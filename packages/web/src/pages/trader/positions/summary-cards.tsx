import type { Account } from '@binnacle/contract'
import { formatGain, formatMoney, roundToZero } from '#format/money.ts'
import { Figure } from '#ui/figure/figures.tsx'
import { StatCards } from '#ui/figure/stat-cards.tsx'
import { toneOfGain } from '#ui/look/tone.ts'
import { copy } from './copy.ts'
import type { PositionSummary } from './position-summary.ts'

export interface SummaryCardsProps {
  summary: PositionSummary
  isLive: boolean
  /** Only if the backend sends it. */
  account: Account | undefined
}

export function SummaryCards({ summary, isLive, account }: SummaryCardsProps) {
  const { open, long, short } = summary
  return (
    <StatCards>
      <Figure label={copy.summary.open} value={open} />
      {account ? (
        <AccountFigures account={account} />
      ) : (
        <Gain label={copy.summary.totalPnl} amount={summary.totalPnl} isLive={isLive} />
      )}
      <Figure label={copy.summary.long} value={long} />
      <Figure label={copy.summary.short} value={short} />
    </StatCards>
  )
}

/** POS-20: of the whole account, so that fees and closed positions count. */
function AccountFigures({ account }: { account: Account }) {
  return (
    <>
      <Gain
        label={copy.summary.totalPnl}
        note={copy.summary.net}
        amount={account.equity - account.starting_capital}
        isLive
      />
      <Gain label={copy.summary.today} note={copy.summary.net} amount={account.day_pnl} isLive />
      <Figure
        label={copy.summary.equity}
        value={formatMoney(account.equity)}
        note={account.left_out && copy.summary.without(account.left_out.join(', '))}
      />
      <Figure label={copy.summary.fees} value={formatMoney(account.fees)} />
    </>
  )
}

interface GainProps {
  label: string
  note?: string
  amount: number
  isLive: boolean
}

function Gain({ label, note, amount, isLive }: GainProps) {
  const gain = isLive ? roundToZero(amount) : amount
  return <Figure label={label} note={note} value={formatGain(gain)} tone={toneOfGain(gain, isLive)} />
}
