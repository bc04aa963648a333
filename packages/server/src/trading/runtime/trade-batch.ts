import { type Instruments, instantFromMs, type MarketTick, type TradeTick } from '@binnacle/engine'

/** Trades as numbers, five for each: a typed array crosses threads at a fraction of the cost of objects. */
export type PackedTrades = Float64Array

const FIELDS = 5

/** Collects the trades of one step of the market, to send them with its figures. */
export class TradeBatch {
  readonly #instruments: Instruments
  #values: number[] = []

  constructor(instruments: Instruments) {
    this.#instruments = instruments
  }

  add(tick: MarketTick): void {
    if (tick.type !== 'trade') return
    const { instrument, at, price, size, aggressor } = tick
    this.#values.push(this.#instruments.indexOf(instrument), at, price, size, aggressor === 'BUY' ? 1 : 0)
  }

  /** Returns the trades added since the last call. */
  drain(): PackedTrades {
    const packed = Float64Array.from(this.#values)
    this.#values = []
    return packed
  }
}

/** Returns the trades of a batch. */
export function unpackTrades(packed: PackedTrades, instruments: Instruments): TradeTick[] {
  const trades: TradeTick[] = []
  for (let first = 0; first < packed.length; first += FIELDS) {
    const [index = 0, at = 0, price = 0, size = 0, isBuy = 0] = packed.subarray(first, first + FIELDS)
    const instrument = instruments.all[index]?.id
    if (instrument === undefined) continue
    const aggressor = isBuy === 1 ? 'BUY' : 'SELL'
    // The batch was packed from ticks with these types.
    const values = { price, size } as Pick<TradeTick, 'price' | 'size'>
    trades.push({ kind: 'tick', type: 'trade', at: instantFromMs(at), instrument, ...values, aggressor })
  }
  return trades
}
