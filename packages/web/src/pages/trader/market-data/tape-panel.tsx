import { useTrades } from '#data/live-market.ts'
import { marketQueries } from '#data/market-data.ts'
import { formatSize, formatTickPrice } from '#format/money.ts'
import { type TopicFreshness, useMarketFreshness } from '#state/topic-freshness.ts'
import { Card } from '#ui/frame/card.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { FreshnessBadge } from '#ui/state/freshness-badge.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import { worseFreshness } from './quote-figures.ts'
import classes from './tape-panel.module.css'
import { useQuoteFreshness } from './use-quote-freshness.ts'

export interface TapePanelProps {
  instrument: string
  tick: number
  lot: number | undefined
}

const ROWS = 40

/** MKT-35: the latest trades of the market, latest first. */
export function TapePanel({ instrument, tick, lot }: TapePanelProps) {
  const { figures: trades, isFailed } = useTrades(instrument)
  const freshness = useTapeFreshness(instrument)
  const isEmpty = trades?.length === 0 && freshness?.freshness === 'stopped'
  return (
    <Card
      title={copy.tape.title}
      isFilled
      actions={freshness && <FreshnessBadge {...freshness} size="short" />}
    >
      <div className={classes.body}>
        {isFailed && <Notice tone="bad" title={copy.tape.failed} />}
        {trades === undefined && !isFailed && <Loading text={copy.tape.loading} lines={6} />}
        {isEmpty && <EmptyState title={copy.stopped.title}>{copy.stopped.hint}</EmptyState>}
        {trades && !isEmpty && (
          <table className={classes.tape} aria-label={copy.tape.title}>
            <thead>
              <tr>
                <th scope="col">{copy.tape.time}</th>
                <th scope="col">{copy.tape.price}</th>
                <th scope="col">{copy.tape.size}</th>
              </tr>
            </thead>
            <tbody>
              {trades.slice(0, ROWS).map(({ id, at, price, quantity, side }) => (
                <tr key={id}>
                  <td>{at.slice(11, 19)}</td>
                  <td data-side={side}>
                    {side === 'BUY' ? '▲' : '▼'} {formatTickPrice(price, tick)}
                  </td>
                  <td>{formatSize(quantity, lot)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Card>
  )
}

/** MKT-36: a market may be quiet, so the age of its last trade says nothing; that of its quote does. */
function useTapeFreshness(instrument: string): TopicFreshness | undefined {
  const trades = useMarketFreshness(marketQueries.trades(instrument, true).queryKey)
  const quote = useQuoteFreshness(instrument)
  return trades && quote ? worseFreshness(quote, trades) : trades
}
