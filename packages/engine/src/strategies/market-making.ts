import type { Side } from '#market/tick.ts'
import { type InstrumentId, idFrom } from '#values/ids.ts'
import type { Settings } from './parameter.ts'
import type { OwnOrder, Strategy, StrategyDesk, StrategyKind } from './strategy.ts'

export const marketMaking: StrategyKind = {
  type: 'market_making',
  title: 'Market making',
  about:
    'Offers both sides: one limit order to buy below the middle of the quote and one to sell above it, half_spread_bps away each. What it holds moves both towards the side that gets rid of it. It takes an order back and quotes anew when its place is more than requote_bps off, at most every requote_s seconds.',
  earnsWhen:
    'Prices swing back and forth, or a venue jumps and comes back: it buys low and sells high, and pays maker fees, which are the lower ones.',
  losesWhen:
    'Prices run one way: the orders that fill are those on the wrong side, and what it holds loses value until max_inventory stops it from holding more.',
  parameters: [
    { name: 'instrument', kind: 'instrument', default: 'SOLUSDT-PERP', sentence: 'What it quotes.' },
    {
      name: 'half_spread_bps',
      kind: 'number',
      min: 0.01,
      max: 1_000,
      default: 4,
      sentence: 'How far each order is from the middle, in hundredths of a percent.',
    },
    {
      name: 'requote_bps',
      kind: 'number',
      min: 0.01,
      max: 1_000,
      default: 2,
      sentence:
        'How far an order may be from where it should be before it is moved, in hundredths of a percent.',
    },
    {
      name: 'requote_s',
      kind: 'number',
      min: 0.1,
      max: 3_600,
      default: 15,
      sentence: 'How long an order stays at least, in seconds, before it is moved.',
    },
    {
      name: 'skew_bps',
      kind: 'number',
      min: 0,
      max: 1_000,
      default: 4,
      sentence: 'How far a full inventory moves both orders, in hundredths of a percent.',
    },
    {
      name: 'order_value',
      kind: 'number',
      min: 1,
      max: 10_000_000,
      default: 300,
      sentence: 'The value of one order, in quote currency.',
    },
    {
      name: 'max_inventory',
      kind: 'number',
      min: 1,
      max: 10_000_000,
      default: 1_500,
      sentence: 'The most that it holds, long or short, in quote currency; it must be at least order_value.',
    },
  ],
  create(settings, instruments) {
    if (settings.number('max_inventory') < settings.number('order_value')) {
      return {
        parameter: 'max_inventory',
        must: `must be at least order_value (${settings.number('order_value')})`,
      }
    }
    return new MarketMaking(settings, instruments.get(idFrom(settings.text('instrument'))).id)
  },
}

class MarketMaking implements Strategy {
  readonly instruments: readonly InstrumentId[]
  readonly interval = null
  readonly warmUpBars = 0
  readonly #half: number
  readonly #requote: number
  readonly #requoteMs: number
  readonly #skew: number
  readonly #value: number
  readonly #maxValue: number
  /** When it last quoted each side. */
  readonly #quotedAt: Record<Side, number> = { BUY: 0, SELL: 0 }

  constructor(settings: Settings, instrument: InstrumentId) {
    this.instruments = [instrument]
    this.#half = settings.number('half_spread_bps') / 10_000
    this.#requote = settings.number('requote_bps') / 10_000
    this.#requoteMs = settings.number('requote_s') * 1_000
    this.#skew = settings.number('skew_bps') / 10_000
    this.#value = settings.number('order_value')
    this.#maxValue = settings.number('max_inventory')
  }

  onQuote(_slot: number, desk: StrategyDesk): void {
    const bid = desk.bid(0)
    const ask = desk.ask(0)
    const middle = (bid + ask) / 2
    const most = desk.lotsFor(0, this.#maxValue)
    const held = most === 0 ? 0 : Math.max(-1, Math.min(1, desk.position(0) / most))
    const centre = middle * (1 - this.#skew * held)
    const away = middle * this.#half
    // A quote of ours never takes: it stays on its own side of the market.
    const buyAt = Math.min(Math.floor(centre - away), ask - 1)
    const sellAt = Math.max(Math.ceil(centre + away), bid + 1)
    this.#keep('BUY', buyAt, desk)
    this.#keep('SELL', sellAt, desk)
  }

  /** Has one order on the side, near its price. */
  #keep(side: Side, price: number, desk: StrategyDesk): void {
    const order = orderOn(side, desk.orders())
    if (order === null) {
      this.#quote(side, price, desk)
      return
    }
    const isOff = Math.abs((order.price ?? price) - price) > price * this.#requote
    const isDue = desk.now >= this.#quotedAt[side] + this.#requoteMs
    if (isOff && isDue && !order.isCancelRequested) desk.cancel(order.id)
  }

  #quote(side: Side, price: number, desk: StrategyDesk): void {
    const lots = desk.lotsFor(0, this.#value)
    const most = desk.lotsFor(0, this.#maxValue)
    const held = side === 'BUY' ? desk.position(0) : -desk.position(0)
    if (lots === 0 || price <= 0 || held + lots > most) return
    desk.place(0, side, lots, { price })
    this.#quotedAt[side] = desk.now
  }
}

function orderOn(side: Side, orders: readonly OwnOrder[]): OwnOrder | null {
  for (const order of orders) if (order.terms.side === side) return order
  return null
}
