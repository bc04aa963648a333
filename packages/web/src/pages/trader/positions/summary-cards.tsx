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
  /** Null or undefined if the backend sends none. */
  account: Account | 'loading' | null | undefined
}

export function SummaryCards({ summary, isLive, account }: SummaryCardsProps) {
  const { open, long, short } = summary
  return (
    <StatCards>
      <Figure label={copy.summary.open} value={open} />
      {account ? (
        <AccountFigures account={account === 'loading' ? undefined : account} />
      ) : (
        <Gain label={copy.summary.totalPnl} amount={summary.totalPnl} isLive={isLive} />
      )}
      <Figure label={copy.summary.long} value={long} />
      <Figure label={copy.summary.short} value={short} />
    </StatCards>
  )
}

/** POS-20: of the whole account, so that fees and closed positions count. SHELL-115: each in its place while loading. */
function AccountFigures({ account }: { account: Account | undefined }) {
  return (
    <>
      <Gain
        label={copy.summary.totalPnl}
        note={copy.summary.net}
        amount={account && account.equity - account.starting_capital}
        isLive
      />
      <Gain label={copy.summary.today} note={copy.summary.net} amount={account?.day_pnl} isLive />
      <Figure
        label={copy.summary.equity}
        value={account ? formatMoney(account.equity) : copy.summary.unknown}
        note={account?.left_out && copy.summary.without(account.left_out.join(', '))}
      />
      <Figure label={copy.summary.fees} value={account ? formatMoney(account.fees) : copy.summary.unknown} />
    </>
  )
}

interface GainProps {
  label: string
  note?: string
  /** Undefined while it is loading. */
  amount: number | undefined
  isLive: boolean
}

function Gain({ label, note, amount, isLive }: GainProps) {
  if (amount === undefined) return <Figure label={label} note={note} value={copy.summary.unknown} />
  const gain = isLive ? roundToZero(amount) : amount
  return <Figure label={label} note={note} value={formatGain(gain)} tone={toneOfGain(gain, isLive)} />
}
