import { dataSets, fills, instruments, marketData, orders, positions, service } from '@binnacle/contract'
import { screen, within } from '@testing-library/react'
import { setPreference } from '#state/preferences.ts'
import { createFakeApi, type FakeApi } from './fake-api.ts'
import { renderConsole } from './render-page.tsx'
import { freezeDate } from './time.ts'
import { clearToasts } from './toasts.ts'

/** An API with three instruments, their market of the moment, and nothing traded. */
export function createMarketDataApi(): FakeApi {
  freezeDate()
  const api = createFakeApi()
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['market-data', 'problems'] })
  api.on(instruments.list, { instruments: ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'].map((id) => anInstrument(id)) })
  api.on(marketData.quotes, {
    quotes: [aQuote('BTCUSDT', 67_000, 1.84), aQuote('ETHUSDT', 3_400, -0.42), aQuote('SOLUSDT', 171, 0)],
  })
  api.on(marketData.book, ({ query }) => {
    const instrument = new URLSearchParams(query).get('instrument') ?? ''
    return aBook(instrument, instrument === 'ETHUSDT' ? 3_400 : 67_000)
  })
  api.on(marketData.trades, {
    trades: [
      {
        id: '2',
        instrument: 'BTCUSDT',
        price: 67_000.5,
        quantity: 0.2,
        side: 'SELL',
        at: '2026-01-05T10:00:02.000Z',
      },
      {
        id: '1',
        instrument: 'BTCUSDT',
        price: 66_990,
        quantity: 0.1,
        side: 'BUY',
        at: '2026-01-05T10:00:01.000Z',
      },
    ],
  })
  // Without bars there is no canvas, which this environment does not have.
  api.on(marketData.bars, { instrument: 'BTCUSDT', interval: '15m', more: false, bars: [] })
  api.on(orders.list, { orders: [] })
  api.on(positions.list, { positions: [] })
  api.on(fills.list, { fills: [] })
  api.on(dataSets.list, { data_sets: [], upload_limit_bytes: 1e9 })
  return api
}

/** Resets what the screen remembers. */
export function forgetMarketData(): void {
  clearToasts()
  setPreference('watchlist', undefined)
  setPreference('chartIndicators', 'ema:20')
}

export async function openMarketData(address = '') {
  const view = renderConsole(`/trader/market-data${address}`)
  await screen.findByRole('button', { name: /ETHUSDT.*3,400\.00/ })
  return view
}

export const ticket = () => within(screen.getByRole('form', { name: 'Create New Order' }))

function anInstrument(id: string, tick = 0.01) {
  return {
    id,
    symbol: id,
    venue: 'BINANCE',
    kind: 'spot',
    base_currency: 'BTC',
    tick_size: tick,
    lot_size: 0.001,
  }
}

export function aQuote(instrument: string, last: number, change: number) {
  // An hour ahead, so that it does not age however long the test takes.
  const at = new Date(Date.now() + 3_600_000).toISOString()
  const day = { open_24h: last, high_24h: last + 5, low_24h: last - 5, volume_24h: 10 }
  return {
    instrument,
    venue: 'BINANCE',
    bid: last - 1,
    ask: last + 1,
    at,
    last,
    change_percent: change,
    spark: [1, 2],
    ...day,
  }
}

export function aBook(instrument: string, middle: number) {
  return {
    instrument,
    bids: [
      { price: middle - 1, quantity: 1.5 },
      { price: middle - 2, quantity: 2 },
    ],
    asks: [{ price: middle + 1, quantity: 0.5 }],
    at: new Date().toISOString(),
  }
}
