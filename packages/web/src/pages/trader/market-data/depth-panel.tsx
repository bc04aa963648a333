import { useRef, useState } from 'react'
import { useBestPrices, useBook, useMarketQuote } from '#data/live-market.ts'
import { marketQueries } from '#data/market-data.ts'
import { formatSize, formatTickPrice } from '#format/money.ts'
import { useNow } from '#state/now.ts'
import { useMarketFreshness } from '#state/topic-freshness.ts'
import { SelectField } from '#ui/control/field.tsx'
import { Card } from '#ui/frame/card.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { FreshnessBadge } from '#ui/state/freshness-badge.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import classes from './depth-panel.module.css'
import { type LadderLevel, ladderOf, STEP_FACTORS, stepOf } from './ladder.ts'
import { changeArrow, lastPrice, quoteFreshness, spreadText, toneOfChange } from './quote-figures.ts'

export interface DepthPanelProps {
  instrument: string
  tick: number
  lot: number | undefined
  /** The price of the order that is being written; marked in the ladder. */
  draft: { price: number; quantity: string } | undefined
  onPick: (price: number) => void
}

const ROWS = 12
/** An empty book has no time. */
const STOPPED = { freshness: 'stopped' } as const

/** MKT-34: the order book; a click on a price takes it over to the order. */
export function DepthPanel({ instrument, tick, lot, draft, onPick }: DepthPanelProps) {
  const { figures: book, isFailed } = useBook(instrument)
  const quote = useMarketQuote(instrument)
  const best = useBestPrices(instrument)
  const loaded = useMarketFreshness(marketQueries.book(instrument, true).queryKey)
  const now = useNow()
  const isEmpty =
    loaded?.freshness === 'stopped' && book !== undefined && book.bids.length + book.asks.length === 0
  const freshness = loaded && book && (isEmpty ? STOPPED : quoteFreshness(book, loaded, now))
  const [factor, setFactor] = useState('1')
  const step = stepOf(tick, Number(factor))
  const ladder = book && ladderOf(book, step, ROWS)
  // By rank: all prices change with the market, and rows by price would be created again several times a second.
  const rowOf = (side: 'bid' | 'ask') => (level: LadderLevel, rank: number) => (
    <LadderRow
      key={rank}
      side={side}
      level={level}
      tick={step}
      lot={lot}
      share={ladder?.largest ? level.quantity / ladder.largest : 0}
      draft={draft && isWithin(draft.price, level.price, step) ? draft.quantity : undefined}
      onPick={onPick}
    />
  )
  return (
    <Card
      title={copy.depth.title}
      aside={freshness && freshness.freshness !== 'live' && <FreshnessBadge {...freshness} size="sign" />}
      isFilled
      actions={
        <div className={classes.steps}>
          <span aria-hidden>{copy.depth.steps}</span>
          <SelectField
            label={copy.depth.steps}
            labelHidden
            value={factor}
            options={STEP_FACTORS.map((value) => ({
              value: String(value),
              label: formatTickPrice(stepOf(tick, value), tick),
            }))}
            onChange={setFactor}
          />
        </div>
      }
    >
      <div className={classes.body}>
        {isFailed && <Notice tone="bad" title={copy.depth.failed} />}
        {book === undefined && !isFailed && <Loading text={copy.depth.loading} lines={10} />}
        {isEmpty && <EmptyState title={copy.stopped.title}>{copy.stopped.hint}</EmptyState>}
        {ladder && !isEmpty && (
          <table className={classes.ladder} aria-label={copy.depth.title}>
            <thead>
              <tr>
                <th scope="col">{copy.depth.bid}</th>
                <th scope="col">{copy.depth.price}</th>
                <th scope="col">{copy.depth.ask}</th>
              </tr>
            </thead>
            <tbody className={classes.asks}>{ladder.asks.map(rowOf('ask')).reverse()}</tbody>
            <tbody className={classes.middle}>
              <tr>
                <td colSpan={3}>
                  {quote && (
                    <>
                      <b>{formatTickPrice(lastPrice(quote), tick)}</b>
                      <span data-tone={toneOfChange(quote.change_percent)}>
                        {changeArrow(quote.change_percent)}
                      </span>
                      <small>{copy.depth.spread(spreadText(best ?? quote, tick))}</small>
                    </>
                  )}
                </td>
              </tr>
            </tbody>
            <tbody>{ladder.bids.map(rowOf('bid'))}</tbody>
          </table>
        )}
      </div>
    </Card>
  )
}

interface LadderRowProps {
  side: 'bid' | 'ask'
  level: LadderLevel
  tick: number
  lot: number | undefined
  /** Of the largest quantity shown. */
  share: number
  draft: string | undefined
  onPick: (price: number) => void
}

function LadderRow({ side, level, tick, lot, share, draft, onPick }: LadderRowProps) {
  const price = formatTickPrice(level.price, tick)
  const pressed = useRef(level.price)
  const size = (
    <td className={classes.size} data-side={side}>
      <i style={{ width: `${(share * 100).toFixed(1)}%` }} />
      <span>{formatSize(level.quantity, lot)}</span>
    </td>
  )
  return (
    <tr data-side={side} data-draft={draft !== undefined || undefined}>
      {side === 'bid' ? size : <td />}
      <td>
        <button
          type="button"
          aria-label={copy.depth.pick(price)}
          onPointerDown={() => {
            pressed.current = level.price
          }}
          // MKT-280; a click by the keyboard has no detail.
          onClick={({ detail }) => onPick(detail === 0 ? level.price : pressed.current)}
        >
          {price}
        </button>
      </td>
      {side === 'ask' ? size : <td>{draft !== undefined && <mark>{draft}</mark>}</td>}
    </tr>
  )
}

function isWithin(price: number, level: number, step: number): boolean {
  return Math.abs(price - level) < step / 2
}
