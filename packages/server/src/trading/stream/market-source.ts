import type { SnapshotInput } from '@binnacle/contract'
import type { Desk, Instrument, InstrumentId } from '@binnacle/engine'
import { isServiceRunning } from '#trading/feature-state.ts'
import type { BarKey, TrackedBar } from '#trading/market/bar-tracks.ts'
import type { TapeTrade } from '#trading/market/live-market.ts'
import type { MarketData } from '#trading/market/market-data.ts'
import { bookToWire, marketBarToWire, tradeToWire } from '#trading/market.wire.ts'

/** The data of the topics of market data, as frames send it. */
export class MarketSource {
  readonly #desk: Desk
  readonly #market: MarketData
  readonly #instruments: ReadonlyMap<string, Instrument>

  constructor(desk: Desk, market: MarketData) {
    this.#desk = desk
    this.#market = market
    this.#instruments = new Map(desk.views.instruments().map((instrument) => [instrument.id, instrument]))
  }

  /** Whether Market Data Service distributes the market; without it clients keep what they have. */
  get isServed(): boolean {
    return isServiceRunning(this.#desk, 'market-data')
  }

  get names(): ReadonlySet<string> {
    return new Set(this.#instruments.keys())
  }

  /** The latest trades of instruments, oldest first. */
  tapes(instruments: readonly InstrumentId[]): SnapshotInput<'trades'> {
    if (!this.isServed) return { trades: [] }
    return this.trades(instruments.flatMap((instrument) => this.#market.tape(instrument)))
  }

  trades(trades: readonly TapeTrade[]): SnapshotInput<'trades'> {
    return {
      trades: trades.flatMap((trade) => this.#with(trade.instrument, (one) => tradeToWire(trade, one))),
    }
  }

  currentBars(keys: readonly BarKey[]): SnapshotInput<'bars'> {
    return this.isServed ? this.bars(this.#market.currentBars(keys)) : { bars: [] }
  }

  bars(bars: readonly TrackedBar[]): SnapshotInput<'bars'> {
    return { bars: bars.flatMap((bar) => this.#with(bar.instrument, (one) => marketBarToWire(bar, one))) }
  }

  books(instruments: readonly InstrumentId[]): SnapshotInput<'book'> {
    if (!this.isServed) return { books: [] }
    return {
      books: instruments.flatMap((instrument) => {
        const book = this.#desk.views.book(instrument)
        return book === null ? [] : [bookToWire(book)]
      }),
    }
  }

  /** The price of the latest trade, in decimals. */
  lastOf(instrument: InstrumentId): number | undefined {
    const trade = this.#market.tape(instrument).at(-1)
    const one = this.#instruments.get(instrument)
    return trade === undefined || one === undefined ? undefined : tradeToWire(trade, one).price
  }

  #with<Row>(id: string, toRow: (instrument: Instrument) => Row): Row[] {
    const instrument = this.#instruments.get(id)
    return instrument === undefined ? [] : [toRow(instrument)]
  }
}
