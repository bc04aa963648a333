import { marketData } from '@binnacle/contract'
import { createColumns, type Desk, type Instrument } from '@binnacle/engine'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { notFound, Refused } from '#http/problems.ts'
import type { DataSets } from './data-sets/data-sets.ts'
import { checkService } from './feature-state.ts'
import { readChart } from './market/chart-bars.ts'
import type { MarketData } from './market/market-data.ts'
import { barsToWire, bookToWire, marketQuoteToWire, tradeToWire } from './market.wire.ts'

/** Serves quotes, bars, book and tape. */
export function addMarketRoutes(
  app: FastifyInstance,
  desk: Desk,
  { market, dataSets }: MarketRouteOptions,
): void {
  const byId = new Map<string, Instrument>(desk.views.instruments().map((one) => [one.id, one]))
  const find = (id: string) => byId.get(id) ?? unknownInstrument(id)

  const stopped = () => checkService(desk, 'market-data')

  mount(app, marketData.quotes, async () => {
    const refusal = stopped()
    if (refusal !== undefined) return refusal
    const days = await market.lastDay()
    const quotes = desk.views.quotes().flatMap((quote) => {
      const instrument = byId.get(quote.instrument)
      if (instrument === undefined) return []
      const day = days.get(instrument.id) ?? createColumns(instrument.id, '15m', 0)
      const last = market.tape(instrument.id).at(-1)?.price ?? null
      return [marketQuoteToWire({ quote, instrument, last, day })]
    })
    return { quotes }
  })

  mount(app, marketData.bars, async ({ query }) => {
    const { interval, before, limit } = query
    const instrument = find(query.instrument)
    if (instrument instanceof Refused) return instrument
    const until = before === undefined ? undefined : Date.parse(before)
    const wanted = { instrument: instrument.id, interval, before: until, limit }
    const name = query.data_set
    const refusal = name === undefined ? stopped() : undefined
    if (refusal !== undefined) return refusal
    const source = name === undefined ? undefined : (dataSets?.chart(name) ?? unknownSet(name))
    if (source instanceof Refused) return source
    const page = await (source === undefined ? market.bars(wanted) : readChart(source, wanted, Date.now()))
    const bars = barsToWire(page.bars, instrument)
    return { instrument: instrument.id, interval, data_set: name, bars, more: page.more }
  })

  mount(app, marketData.book, ({ query }) => {
    const instrument = stopped() ?? find(query.instrument)
    if (instrument instanceof Refused) return instrument
    const book = desk.views.book(instrument.id)
    return book === null
      ? { instrument: instrument.id, bids: [], asks: [], at: new Date().toISOString() }
      : bookToWire(book)
  })

  mount(app, marketData.trades, ({ query }) => {
    const instrument = stopped() ?? find(query.instrument)
    if (instrument instanceof Refused) return instrument
    return {
      trades: market
        .tape(instrument.id)
        .map((trade) => tradeToWire(trade, instrument))
        .toReversed(),
    }
  })
}

export interface MarketRouteOptions {
  market: MarketData
  /** Without it there are none. */
  dataSets?: Pick<DataSets, 'chart'> | undefined
}

function unknownSet(name: string): Refused {
  return notFound('data set', name, { field: 'query.data_set', list: 'GET /api/market/data-sets' })
}

function unknownInstrument(id: string): Refused {
  return notFound('instrument', id, { field: 'query.instrument', list: 'GET /api/instruments' })
}
