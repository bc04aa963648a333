import { join } from 'node:path'
import {
  type Desk,
  type Instant,
  type InstrumentId,
  idFrom,
  instantFromMs,
  standardInstruments,
  type TradeTick,
} from '@binnacle/engine'
import { type AtEnd, temporaryFolder } from '@binnacle/stores/testkit'
import { onTestFinished } from 'vitest'
import { openCatalog } from '#trading/catalog/catalog.ts'
import { type MarketData, openMarketData } from '#trading/market/market-data.ts'

/** A market of hand-made trades over a real catalog and ring; `now` is the time of the last step. */
export interface TestMarket {
  readonly market: MarketData
  step(at: number, trades?: readonly TradeTick[]): void
  /** Moves recorded minutes to the files of their months. */
  settle(): Promise<void>
  close(): void
}

export function aTrade(at: number, price: number, size = 1, instrument = 'BTCUSDT'): TradeTick {
  // Whole numbers are valid prices and sizes.
  const values = { price, size } as unknown as Pick<TradeTick, 'price' | 'size'>
  const id = idFrom<InstrumentId>(instrument)
  return { kind: 'tick', type: 'trade', at: instantFromMs(at), instrument: id, ...values, aggressor: 'BUY' }
}

/** The market data of a desk, in a folder of its own. */
export async function openMarketOf(
  desk: Pick<Desk, 'onTrades'>,
  atEnd: AtEnd = onTestFinished,
): Promise<MarketData> {
  const folder = temporaryFolder({}, atEnd)
  const instruments = standardInstruments()
  const catalog = await openCatalog(join(folder, 'catalog'), instruments)
  const market = openMarketData({
    desk,
    instruments,
    record: { ...catalog, onAdded: () => {} },
    secondsFolder: join(folder, 'seconds'),
    onFault: (fault) => {
      throw fault
    },
  })
  atEnd(() => {
    market.close()
    catalog.close()
  })
  return market
}

export async function openTestMarket(now: number, folder = temporaryFolder()): Promise<TestMarket> {
  const instruments = standardInstruments()
  const catalog = await openCatalog(join(folder, 'catalog'), instruments)
  let pass: (trades: readonly TradeTick[], until: Instant) => void = () => {}
  let clock = now
  const market = openMarketData({
    desk: {
      onTrades(listener) {
        pass = listener
        return () => {
          pass = () => {}
        }
      },
    },
    instruments,
    record: { ...catalog, onAdded: () => {} },
    secondsFolder: join(folder, 'seconds'),
    onFault: (fault) => {
      throw fault
    },
    now: () => clock,
  })
  return {
    market,
    step(at, trades = []) {
      clock = at
      pass(trades, instantFromMs(at))
    },
    settle: async () => void (await catalog.settle()),
    close() {
      market.close()
      catalog.close()
    },
  }
}
