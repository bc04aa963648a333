import type { Instrument } from '#model/instrument.ts'
import type { Side } from '#model/tick.ts'
import type { Settings } from '#strategies/parameter.ts'
import type { OwnOrder, Strategy, StrategyContext, StrategyKind } from '#strategies/strategy.ts'
import { type InstrumentId, idFrom } from '#values/ids.ts'
import { type Increment, incrementsToNumber } from '#values/increment.ts'

export const marketMaking: StrategyKind = {
  type: 'market_making',
  title: 'Market making',
  about:
    'Quotes both sides: one limit order to buy below the mid price and one to sell above it, each half_spread_bps away. Its inventory shifts both prices towards reducing it. It cancels and replaces an order that is more than requote_bps from its target price, at most every requote_s seconds. On spot, which cannot be sold short, it sells only what it holds, and its prices shift towards an inventory of half of max_inventory.',
  earnsWhen:
    'Prices swing back and forth, or a venue jumps and returns: it buys low and sells high, and pays the lower maker fees.',
  losesWhen:
    'Prices trend: only the orders on the losing side fill, and the inventory loses value until max_inventory stops it from growing.',
  parameters: [
    {
      name: 'instrument',
      label: 'Instrument',
      kind: 'instrument',
      default: 'SOLUSDT-PERP',
      description: 'Instrument to quote.',
    },
    {
      name: 'half_spread_bps',
      label: 'Half spread (bps)',
      kind: 'number',
      min: 0.01,
      max: 1_000,
      default: 4,
      description: 'Distance of each order from the mid price, in basis points (bps).',
    },
    {
      name: 'requote_bps',
      label: 'Requote distance (bps)',
      kind: 'number',
      min: 0.01,
      max: 1_000,
      default: 2,
      description:
        'Maximum distance of an order from its target price before it is moved, in basis points (bps).',
    },
    {
      name: 'requote_s',
      label: 'Requote interval (s)',
      kind: 'number',
      min: 0.1,
      max: 3_600,
      default: 15,
      description: 'Minimum time before an order is moved, in seconds.',
    },
    {
      name: 'skew_bps',
      label: 'Inventory skew (bps)',
      kind: 'number',
      min: 0,
      max: 1_000,
      default: 4,
      description: 'Shift of both orders at full inventory, in basis points (bps).',
    },
    {
      name: 'order_value',
      label: 'Order value',
      kind: 'number',
      min: 1,
      max: 10_000_000,
      default: 300,
      description: 'Value of one order, in quote currency.',
    },
    {
      name: 'max_inventory',
      label: 'Maximum inventory',
      kind: 'number',
      min: 1,
      max: 10_000_000,
      default: 1_500,
      description:
        'Maximum position, long or (not on spot) short, in quote currency. Must be at least Order value.',
    },
  ],
  create(settings, instruments) {
    if (settings.number('max_inventory') < settings.number('order_value')) {
      return {
        parameter: 'max_inventory',
        requirement: `must be at least Order value, ${settings.number('order_value')}`,
      }
    }
    return new MarketMaking(settings, instruments.get(idFrom(settings.text('instrument'))))
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
  readonly #canShort: boolean
  readonly #minLots: number
  readonly #tick: Increment
  /** The time of the last order on each side; by name, since each quote reads them. */
  #boughtAt = 0
  #soldAt = 0

  constructor(settings: Settings, { id, kind, minQuantity, tick }: Instrument) {
    this.instruments = [id]
    this.#tick = tick
    this.#canShort = kind !== 'SPOT'
    this.#minLots = minQuantity
    this.#half = settings.number('half_spread_bps') / 10_000
    this.#requote = settings.number('requote_bps') / 10_000
    this.#requoteMs = settings.number('requote_s') * 1_000
    this.#skew = settings.number('skew_bps') / 10_000
    this.#value = settings.number('order_value')
    this.#maxValue = settings.number('max_inventory')
  }

  onQuote(_slot: number, context: StrategyContext): void {
    const bid = context.bid(0)
    const ask = context.ask(0)
    const middle = (bid + ask) / 2
    const centre = middle * (1 - this.#skew * this.#imbalance(context))
    const away = middle * this.#half
    // Our quote never takes liquidity: it stays on its own side of the market.
    const buyAt = Math.min(Math.floor(centre - away), ask - 1)
    const sellAt = Math.max(Math.ceil(centre + away), bid + 1)
    // What it wants is done after this quote, so its orders are the same for both sides.
    const orders = context.orders()
    this.#keep('BUY', buyAt, orders, context)
    this.#keep('SELL', sellAt, orders, context)
  }

  explain(context: StrategyContext) {
    return {
      middle: incrementsToNumber((context.bid(0) + context.ask(0)) / 2, this.#tick),
      imbalance: this.#imbalance(context),
    }
  }

  /** Returns how far the inventory is from where it should be: -1 far too low, 1 far too high. */
  #imbalance(context: StrategyContext): number {
    const most = context.lotsFor(0, this.#maxValue)
    if (most === 0) return 0
    const share = context.position(0) / most
    return Math.max(-1, Math.min(1, this.#canShort ? share : share * 2 - 1))
  }

  /** Keeps one order on the side, near its target price. */
  #keep(side: Side, price: number, orders: readonly OwnOrder[], context: StrategyContext): void {
    const order = orderOn(side, orders)
    if (order === null) {
      this.#quote(side, price, context)
      return
    }
    const isOff = Math.abs((order.price ?? price) - price) > price * this.#requote
    if (!isOff || order.isCancelRequested) return
    const placedAt = side === 'BUY' ? this.#boughtAt : this.#soldAt
    if (context.now >= placedAt + this.#requoteMs) context.cancel(order.id)
  }

  #quote(side: Side, price: number, context: StrategyContext): void {
    const lots = this.#lotsToQuote(side, context)
    if (lots < this.#minLots || price <= 0) return
    context.place(0, side, lots, { price })
    if (side === 'BUY') this.#boughtAt = context.now
    else this.#soldAt = context.now
  }

  /** Returns the size of one order; 0 when the inventory would exceed its maximum, or spot is not held. */
  #lotsToQuote(side: Side, context: StrategyContext): number {
    const lots = context.lotsFor(0, this.#value)
    const position = context.position(0)
    if (side === 'SELL' && !this.#canShort) return Math.min(lots, Math.max(0, position))
    const held = side === 'BUY' ? position : -position
    return held + lots > context.lotsFor(0, this.#maxValue) ? 0 : lots
  }
}

function orderOn(side: Side, orders: readonly OwnOrder[]): OwnOrder | null {
  for (const order of orders) if (order.terms.side === side) return order
  return null
}
