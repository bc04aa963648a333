import type { ReactNode } from 'react'
import {
  formatAveragePrice,
  formatFee,
  formatMoney,
  formatPriceAtTick,
  formatQuantity,
} from '#format/money.ts'
import { formatPercent, percentOf } from '#format/percent.ts'
import { formatTimeUtc } from '#format/time.ts'
import { Badge } from '#ui/figure/badge.tsx'
import { Meter } from '#ui/figure/meter.tsx'
import { type Tone, toneOfUse } from '#ui/look/tone.ts'
import { Notice } from '#ui/state/notice.tsx'
import { distanceFrom, isFar } from './far-price.ts'
import classes from './order-preview.module.css'

interface Part {
  quantity: number
  price: number | null
  cost: number
  fee: number
}

interface LimitUse {
  before: number
  after: number
  limit: number
}

/** What a server says an order would do now. */
export interface OrderPreviewFigures {
  denied?: { sentence: string } | undefined
  quote: { bid: number; ask: number; spread: number } | null
  fill: Part | null
  rest: Part
  cancelled: number
  made_reduce_only: boolean
  position: { before: number; after: number }
  margin: { before: number; after: number; available_after: number }
  limits: {
    max_order_size: LimitUse
    max_position_size: LimitUse
    max_daily_loss: LimitUse
    max_positions: LimitUse
    margin: LimitUse
  }
}

export interface OrderPreviewProps {
  /** Undefined until the first answer. */
  preview: OrderPreviewFigures | undefined
  /** Shown in place of the quote of the preview, on a screen that has a newer one. */
  quote?: { bid: number; ask: number } | undefined
  /** Its figures are of the terms before the last change; the quote is still shown. */
  isOutdated?: boolean
  /** Why there is no preview of these terms; the quote is still shown. */
  problem?: string | undefined
  /** When the quote came, in ms, if it may be old. */
  quoteAsOfMs?: number | undefined
  /** The instrument's tick, for the decimals of its prices. */
  tick?: number | undefined
}

/** ORD-54: what an order would do, by the server's own checks, before it is placed. Keeps its height while figures change. */
export function OrderPreview(props: OrderPreviewProps) {
  const { preview, isOutdated, problem, quoteAsOfMs, tick } = props
  const quote = props.quote ?? preview?.quote
  const figures = problem === undefined && !isOutdated ? preview : undefined
  const money = (amount: number | undefined) => (amount === undefined ? NONE : formatMoney(amount))
  const price = (value: number) => formatPriceAtTick(value, tick, formatAveragePrice)
  // ORD-73: without a market a denied order has no price.
  const priced = figures?.denied && figures.quote === null ? undefined : figures
  const total = priced && sumOf(priced)
  const verdict = figures && verdictOn(figures)
  return (
    <section className={classes.preview} aria-label="Preview">
      <header className={classes.head}>
        <h3>Preview</h3>
        {verdict && <Badge tone={verdict.tone}>{verdict.text}</Badge>}
      </header>
      <dl className={classes.quote}>
        <Row label="Bid">{quote ? price(quote.bid) : NONE}</Row>
        <Row label="Ask">{quote ? price(quote.ask) : NONE}</Row>
        <Row label="Spread">{quote ? price(quote.ask - quote.bid) : NONE}</Row>
      </dl>
      {quote && quoteAsOfMs !== undefined && (
        <p className={classes.staleQuote}>Bid and ask as of {formatTimeUtc(new Date(quoteAsOfMs))}.</p>
      )}
      <dl className={classes.rows}>
        <Row label="Price expected">{priced ? expectedPrice(priced, price) : NONE}</Row>
        <Row label="Cost">{money(total?.cost)}</Row>
        <Row label="Fee">{total ? formatFee(total.fee) : NONE}</Row>
        <Row label="Margin for this order">{money(priced && priced.margin.after - priced.margin.before)}</Row>
        <Row label="Available margin after">{money(figures?.margin.available_after)}</Row>
        <Row label="Position after">{figures ? formatPosition(figures.position.after) : NONE}</Row>
      </dl>
      <div className={classes.limits}>
        {LIMITS.map(({ name, label, isCount }) => (
          <LimitRow key={name} label={label} isCount={isCount} use={figures?.limits[name]} />
        ))}
      </div>
      {problem !== undefined && <p className={classes.note}>{problem}</p>}
      {problem !== undefined && preview?.quote === null && preview.denied && (
        <Notice tone="bad" title={preview.denied.sentence} />
      )}
      {figures && <Remarks figures={figures} />}
    </section>
  )
}

const NONE = '—'

const LIMITS = [
  { name: 'max_order_size', label: 'Max Order Size', isCount: false },
  { name: 'max_position_size', label: 'Max Position Size', isCount: false },
  { name: 'max_daily_loss', label: 'Max Daily Loss', isCount: false },
  { name: 'margin', label: 'Margin', isCount: false },
  { name: 'max_positions', label: 'Max Positions', isCount: true },
] as const

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function LimitRow({ label, use, isCount }: { label: string; use: LimitUse | undefined; isCount: boolean }) {
  const before = use ? percentOf(use.before, use.limit) : 0
  const after = use ? percentOf(use.after, use.limit) : 0
  return (
    <div>
      <div className={classes.limitHead}>
        <span>{label}</span>
        <span>{use ? (isCount ? countText(use) : percentText(before, after)) : NONE}</span>
      </div>
      <Meter label={label} percent={before} addedPercent={after - before} tone={toneOfUse(after)} />
    </div>
  )
}

function countText({ before, after, limit }: LimitUse): string {
  return before === after ? `${after} of ${limit}` : `${before} → ${after} of ${limit}`
}

function percentText(before: number, after: number): string {
  const [one, other] = [formatPercent(before, 1), formatPercent(after, 1)]
  return one === other ? other : `${one} → ${other}`
}

/** ORD-72: an order of which nothing would fill or wait is cancelled whole. */
function verdictOn({ denied, fill, rest, cancelled }: OrderPreviewFigures): { tone: Tone; text: string } {
  if (denied) return { tone: 'bad', text: 'would be denied' }
  const isCancelled = cancelled > 0 && fill?.quantity === 0 && rest.quantity === 0
  return isCancelled ? { tone: 'warn', text: 'would be cancelled' } : { tone: 'good', text: 'within limits' }
}

function sumOf({ fill, rest }: OrderPreviewFigures) {
  return { cost: (fill?.cost ?? 0) + rest.cost, fee: (fill?.fee ?? 0) + rest.fee }
}

/** The average price of what fills at once, and the price at which the rest waits. */
function expectedPrice({ fill, rest }: OrderPreviewFigures, price: (value: number) => string): string {
  const filled = fill?.price == null ? undefined : formatAveragePrice(fill.price)
  const waits = rest.price === null ? undefined : `${price(rest.price)} (waits)`
  return [filled, waits].filter((part) => part !== undefined).join(', then ') || NONE
}

function formatPosition(net: number): string {
  if (net === 0) return 'flat'
  return `${net > 0 ? 'LONG' : 'SHORT'} ${formatQuantity(Math.abs(net))}`
}

/** How far from the market the rest would wait, in percent of the middle of the quote. */
function distanceOf({ quote, rest }: OrderPreviewFigures): number {
  if (quote === null || rest.price === null || rest.quantity === 0) return 0
  return distanceFrom((quote.bid + quote.ask) / 2, rest.price)
}

function Remarks({ figures }: { figures: OrderPreviewFigures }) {
  const { denied, cancelled, made_reduce_only: isMadeReduceOnly } = figures
  const distance = distanceOf(figures)
  return (
    <div aria-live="polite">
      {denied && <Notice tone="bad" title={denied.sentence} />}
      {!denied && cancelled > 0 && (
        <p className={classes.note}>{formatQuantity(cancelled)} cannot fill now and would be cancelled.</p>
      )}
      {isMadeReduceOnly && (
        <p className={classes.note}>Above Max Order Size: it would be made reduce-only.</p>
      )}
      {!denied && isFar(distance) && (
        <p className={classes.note}>
          It would wait at a price {formatPercent(distance, 1)} away from the market. Check the price.
        </p>
      )}
    </div>
  )
}
