import type { Instrument, MarketQuote, NewOrder, OrderPreview } from '@binnacle/contract'
import { type TimeInForce, timeInForceOf } from '#data/times-in-force.ts'
import { formatQuantity, formatTickPrice } from '#format/money.ts'
import { roundToTick } from '#ui/chart/round-to-tick.ts'
import { copy } from './copy.ts'
import { tickOf } from './quote-figures.ts'

/** The order as typed; its instrument is that of the chart. */
export interface TicketForm {
  side: NewOrder['side']
  type: NewOrder['type']
  /** Undefined: the smallest one of the instrument. */
  quantity: string | undefined
  price: string
  /** Undefined: the usual one of the type. */
  timeInForce: TimeInForce | undefined
  isReduceOnly: boolean
}

export const BLANK_TICKET: TicketForm = {
  side: 'BUY',
  type: 'LIMIT',
  quantity: undefined,
  price: '',
  timeInForce: undefined,
  isReduceOnly: false,
}

/** The fields that can show why they were refused. */
export const TICKET_FIELDS = ['quantity', 'price'] as const

/** The quantity as typed, or the smallest one that the instrument allows. */
export function quantityOf({ quantity }: TicketForm, instrument: Instrument | undefined): string {
  return quantity ?? String(instrument?.min_quantity ?? instrument?.lot_size ?? 0.001)
}

/** Sent unchecked; the server validates. */
export function orderOf(form: TicketForm, id: string, instrument: Instrument | undefined): NewOrder {
  const { side, type, price, timeInForce, isReduceOnly } = form
  return {
    instrument: id,
    side,
    type,
    quantity: Number.parseFloat(quantityOf(form, instrument)),
    ...(type !== 'MARKET' && { price: Number.parseFloat(price) }),
    ...(type === 'LIMIT' && { time_in_force: timeInForceOf(type, timeInForce) }),
    ...(isReduceOnly && { reduce_only: true }),
  }
}

/** A price that was picked on the chart or in the ladder; a market order takes none, so it becomes a limit order. */
export function withPrice(form: TicketForm, price: number): TicketForm {
  return { ...form, type: form.type === 'MARKET' ? 'LIMIT' : form.type, price: String(price) }
}

export function quickPrices(quote: Pick<MarketQuote, 'bid' | 'ask'> | undefined, tick: number) {
  return [
    { label: copy.ticket.bid, price: quote?.bid },
    { label: copy.ticket.mid, price: quote && roundToTick((quote.bid + quote.ask) / 2, tick) },
    { label: copy.ticket.ask, price: quote?.ask },
  ]
}

export interface QuantityShare {
  label: string
  /** Undefined while it is unknown. */
  quantity: string | undefined
}

const SHARES = [10, 25, 50, 100] as const

/** MKT-57: shares of what the limits allow at the order's price, in whole lots. */
export function quantityShares(
  form: TicketForm,
  instrument: Instrument | undefined,
  preview: OrderPreview | undefined,
): readonly QuantityShare[] {
  const lot = instrument?.lot_size
  const typed = Number.parseFloat(form.price)
  const touch = form.side === 'BUY' ? preview?.quote?.ask : preview?.quote?.bid
  const price = form.type === 'MARKET' || Number.isNaN(typed) ? touch : typed
  const quantityAt = (share: number) => {
    if (lot === undefined || preview === undefined || price === undefined || price <= 0) return undefined
    const { max_order_size: order, max_position_size: position } = preview.limits
    const allowed = Math.max(0, Math.min(order.limit, position.limit - position.before)) / price
    const lots = Math.floor((allowed * share) / 100 / lot + 1e-9)
    return String(Number((lots * lot).toFixed(12)))
  }
  return SHARES.map((share) => ({
    label: share === 100 ? copy.ticket.max : copy.ticket.share(share),
    quantity: quantityAt(share),
  }))
}

/** The order in one line, below its button. */
export function summaryOf(form: TicketForm, instrument: Instrument | undefined): string {
  const { side, type, price, timeInForce } = form
  const order = copy.ticket.summary(side, quantityOf(form, instrument), instrument?.base_currency ?? '')
  if (type === 'MARKET') return `${order} ${copy.ticket.atMarket}`
  const shown = Number.parseFloat(price)
  if (Number.isNaN(shown)) return order
  const text = formatTickPrice(shown, tickOf(instrument))
  return `${order} ${copy.ticket.atPrice(text, type === 'LIMIT' ? timeInForceOf(type, timeInForce) : type)}`
}

export function minimumText({ min_quantity: minimum, lot_size: lot }: Instrument): string | undefined {
  const least = minimum ?? lot
  return least === undefined ? undefined : copy.ticket.atLeast(formatQuantity(least))
}
