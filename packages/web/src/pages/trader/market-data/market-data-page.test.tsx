import {
  dataSets,
  engine,
  fills,
  instruments,
  marketData,
  orders,
  positions,
  service,
} from '@binnacle/contract'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { marketQueries } from '#data/market-data.ts'
import { streamQueries } from '#data/stream/stream-queries.ts'
import { getPreferences, setPreference } from '#state/preferences.ts'
import { countReads } from '#testkit/count-reads.ts'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { freezeDate } from '#testkit/time.ts'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'
import { anEngine, anOrder, aPosition } from '#testkit/trading.ts'
import { copy } from './copy.ts'

let api: FakeApi

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

function aQuote(instrument: string, last: number, change: number) {
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

const NO_USE = { before: 0, after: 0, limit: 1 }
const PREVIEW = {
  quote: { bid: 49_999.5, ask: 50_000.5, spread: 1, at: '2026-01-05T12:00:00.000Z' },
  fill: null,
  rest: { quantity: 0, price: null, cost: 0, fee: 0 },
  cancelled: 0,
  made_reduce_only: false,
  position: { before: 0, after: 0 },
  margin: { before: 0, after: 0, available_after: 0 },
  limits: {
    max_order_size: NO_USE,
    max_position_size: NO_USE,
    max_daily_loss: NO_USE,
    max_positions: NO_USE,
    margin: NO_USE,
  },
}

function aBook(instrument: string, middle: number) {
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

beforeEach(() => {
  freezeDate()
  api = createFakeApi()
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
})

afterEach(() => {
  clearToasts()
  setPreference('watchlist', undefined)
  setPreference('chartIndicators', 'ema:20')
})

async function openMarketData(address = '') {
  const view = renderConsole(`/trader/market-data${address}`)
  await screen.findByRole('button', { name: /ETHUSDT.*3,400\.00/ })
  return view
}

const watched = () =>
  within(screen.getByRole('list', { name: 'Watchlist' }))
    .getAllByRole('listitem')
    .map((row) => row.querySelector('b')?.textContent)

const ticket = () => within(screen.getByRole('form', { name: 'Create New Order' }))

describe('market data', () => {
  test('[MKT-30] the watchlist shows price, change, spread and freshness of each instrument', async () => {
    await openMarketData()
    expect(watched()).toEqual(['BTCUSDT', 'ETHUSDT', 'SOLUSDT'])
    const row = screen.getByRole('button', { name: /ETHUSDT.*3,400/ })
    expect(row).toHaveTextContent('BINANCE · spread 2.00')
    expect(row).toHaveTextContent('3,400.00▼ -0.42%')
    expect(within(row).getByRole('img', { name: 'live' })).toBeVisible()
  })

  test('[SHELL-402] the last price is no live region, which would be read aloud at each tick', async () => {
    await openMarketData()
    const head = screen.getByRole('heading', { name: 'BTCUSDT' }).closest('header')
    expect(head).toHaveTextContent('67,000.00')
    expect(within(head ?? document.body).queryAllByRole('status', { name: '' })).toEqual([])
  })

  test('[MKT-46] instruments are moved, removed and added by keyboard, and that is remembered', async () => {
    const { user } = await openMarketData()
    const press = async (name: string) => {
      screen.getByRole('button', { name }).focus()
      await user.keyboard('{Enter}')
    }
    await press('Move SOLUSDT up')
    expect(watched()).toEqual(['BTCUSDT', 'SOLUSDT', 'ETHUSDT'])
    await press('Remove BTCUSDT')
    expect(watched()).toEqual(['SOLUSDT', 'ETHUSDT'])
    await press('Add instrument')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Add instrument' }), 'BTCUSDT')
    expect(watched()).toEqual(['SOLUSDT', 'ETHUSDT', 'BTCUSDT'])
    const stored = JSON.parse(localStorage.getItem('binnacle.preferences') ?? '{}')
    expect(stored.watchlist).toEqual(['SOLUSDT', 'ETHUSDT', 'BTCUSDT'])
  })

  test('[PERF-27] a time in the address asks for the bars around it, and a button leads to the latest', async () => {
    const { user } = await openMarketData('?instrument=ETHUSDT&interval=1m&at=2020-01-05T10:00:00Z')
    const asked = () => new URLSearchParams(api.calls(marketData.bars).at(-1)?.query)
    await waitFor(() => expect(asked().get('before')).toBe('2020-01-05T11:00:00.000Z'))
    await user.click(
      screen.getByRole('button', { name: 'Bars until 2020-01-05 11:00:00 UTC. Show the latest' }),
    )
    await waitFor(() => expect(asked().get('before')).toBeNull())
    expect(screen.queryByRole('button', { name: /Show the latest/ })).toBeNull()
  })

  test('[MKT-33] a link opens its instrument and interval, and a choice asks for other bars', async () => {
    const { user } = await openMarketData('?instrument=ETHUSDT&interval=1h')
    expect(screen.getByRole('heading', { name: 'ETHUSDT' })).toBeVisible()
    expect(screen.getByRole('radio', { name: '1h' })).toBeChecked()
    await user.click(screen.getByRole('radio', { name: '5m' }))
    await waitFor(() =>
      expect(api.calls(marketData.bars).at(-1)?.query).toContain('instrument=ETHUSDT&interval=5m'),
    )
  })

  test('[MKT-111] the chart says how much history there is, and loads its bars again once it is complete', async () => {
    let history = { done: false, days: 41, of: 90 }
    api.on(engine.systemInfo, () => ({ history }))
    const { queryClient } = await openMarketData()
    const progress = await screen.findByText('History is being generated: 41 of 90 days')
    expect(progress).toHaveRole('status')
    const loaded = api.calls(marketData.bars).length
    history = { done: true, days: 90, of: 90 }
    await queryClient.refetchQueries({ queryKey: marketQueries.historyProgress().queryKey })
    await waitFor(() => expect(progress).not.toBeInTheDocument())
    expect(api.calls(marketData.bars).length).toBeGreaterThan(loaded)
    const after = api.calls(marketData.bars).length
    await queryClient.refetchQueries({ queryKey: marketQueries.historyProgress().queryKey })
    expect(api.calls(marketData.bars)).toHaveLength(after)
  })

  test('[MKT-35] the tape shows trades with their side, latest first', async () => {
    await openMarketData()
    const [, ...rows] = within(await screen.findByRole('table', { name: 'Tape' })).getAllByRole('row')
    expect(rows.map((row) => row.textContent)).toEqual([
      '10:00:02▼ 67,000.500.200',
      '10:00:01▲ 66,990.000.100',
    ])
  })

  test('[MKT-300] depth and tape are stale while the stream is live and the market sends nothing', async () => {
    const { queryClient } = await openMarketData()
    const panel = (name: string) => within(screen.getByRole('region', { name: new RegExp(`^${name}`) }))
    const mark = (name: string) => panel(name).queryByRole('status', { name: 'Freshness' })
    await screen.findByRole('table', { name: 'Depth' })
    act(() => {
      queryClient.setQueryData(streamQueries.state().queryKey, { kind: 'live' })
      queryClient.setQueryData(marketQueries.isStreamed().queryKey, true)
    })
    await waitFor(() => expect(mark('Tape')).toHaveTextContent('Live'))
    expect(mark('Depth')).toBeNull()
    vi.setSystemTime(Date.now() + 3_600_000 + 31_000)
    await waitFor(() => expect(mark('Depth')).toHaveTextContent('Stale'))
    await waitFor(() => expect(mark('Tape')).toHaveTextContent('Stale'))
  })

  describe('while the engine is stopped', () => {
    const STOPPED = /^Stopped · as of 10:00:02/
    const EMPTY = 'There is no market data while the engine is stopped.'
    const outdated = () => document.querySelectorAll('[data-outdated]')
    const region = (name: string) => within(screen.getByRole('region', { name: new RegExp(`^${name}`) }))
    const mark = (name: string) => region(name).getByRole('status', { name: 'Freshness' })

    function openStopped() {
      api.on(engine.info, anEngine({ status: 'halted', is_running: false }))
      const view = renderConsole('/trader/market-data')
      view.queryClient.setQueryData(streamQueries.state().queryKey, { kind: 'live' })
      view.queryClient.setQueryData(marketQueries.isStreamed().queryKey, true)
      return view
    }

    test('[STREAM-540] [MKT-540] title and panels are Stopped since the last quote, which is dim', async () => {
      const at = '2026-01-05T10:00:02.000Z'
      const quote = aQuote('BTCUSDT', 67_000, 1.84)
      quote.at = at
      api.on(marketData.quotes, { quotes: [quote] })
      api.on(marketData.book, { instrument: 'BTCUSDT', bids: [{ price: 66_999, quantity: 1 }], asks: [], at })
      openStopped()
      await screen.findByRole('button', { name: 'Use 66,999.00 in the order' })
      for (const name of ['Depth', 'Tape', 'Chart'])
        await waitFor(() => expect(mark(name)).toHaveTextContent(STOPPED))
      expect(screen.getAllByRole('status', { name: 'Freshness' })[0]).toHaveTextContent(STOPPED)
      expect(region('Watchlist').getByRole('img', { name: 'stopped' })).toBeVisible()
      expect([...outdated()].map((figure) => figure.textContent)).toEqual(['67,000.00', '67,000.00▲ +1.84%'])
      expect(document.querySelector('[data-outdated] [data-tone="up"]')).toBeNull()
      expect(screen.queryByText(EMPTY)).toBeNull()
    })

    test('[MKT-542] a panel has the sign of its freshness or the time, and the whole text as its title', async () => {
      const at = '2026-01-05T10:00:02.000Z'
      api.on(marketData.book, { instrument: 'BTCUSDT', bids: [{ price: 66_999, quantity: 1 }], asks: [], at })
      api.on(marketData.quotes, { quotes: [] })
      openStopped()
      await screen.findByRole('button', { name: 'Use 66,999.00 in the order' })
      await waitFor(() => expect(mark('Tape')).toHaveAttribute('title', 'Stopped · as of 10:00:02 UTC'))
      expect(mark('Tape').querySelector('[data-brief]')).toHaveTextContent(/^as of 10:00:02$/)
      expect(mark('Depth')).toHaveAttribute('title', 'Stopped · as of 10:00:02 UTC')
      expect(mark('Depth').querySelector('[data-brief]')).toBeNull()
      expect(screen.getByRole('heading', { name: 'Depth' })).toHaveTextContent(/^Depth$/)
    })

    test('[MKT-541] an engine that started stopped has its last trade, and says where there is nothing', async () => {
      api.on(marketData.quotes, { quotes: [] })
      api.on(marketData.book, { instrument: 'BTCUSDT', bids: [], asks: [], at: new Date().toISOString() })
      openStopped()
      await waitFor(() => expect(region('Chart').getByText('67,000.50')).toBeVisible())
      await waitFor(() => expect(mark('Tape')).toHaveTextContent(STOPPED))
      expect(outdated()).toHaveLength(1)
      for (const name of ['Watchlist', 'Depth']) expect(region(name).getByText(EMPTY)).toBeVisible()
      expect(screen.queryByRole('table', { name: 'Depth' })).toBeNull()
      expect(mark('Depth')).toHaveTextContent(/^Stopped$/)
    })
  })

  test('[MKT-543] without an answer the last prices stay, dim and without the colour of their change', async () => {
    const { queryClient } = await openMarketData()
    queryClient.setQueryData(streamQueries.state().queryKey, { kind: 'disconnected' })
    api.drop(marketData.quotes)
    await act(() => queryClient.refetchQueries({ queryKey: marketQueries.quotes(true).queryKey }))
    const prices = () => [...document.querySelectorAll('[data-outdated]')].map((figure) => figure.textContent)
    await waitFor(() => expect(prices()).toEqual(['67,000.00', '3,400.00', '171.00', '67,000.00▲ +1.84%']))
    const row = screen.getByRole('button', { name: /ETHUSDT.*3,400/ })
    expect(within(row).getByText('▼ -0.42%')).toHaveAttribute('data-tone', 'calm')
  })

  test('[STREAM-450] market data that the stream does not bring is Delayed while the stream is live', async () => {
    const { queryClient } = await openMarketData()
    const tape = within(await screen.findByRole('region', { name: /^Tape/ }))
    await screen.findByRole('table', { name: 'Tape' })
    act(() => {
      queryClient.setQueryData(streamQueries.state().queryKey, { kind: 'live' })
    })
    expect(await tape.findByRole('status', { name: 'Freshness' })).toHaveTextContent(/^Delayed · as of /)
  })

  test('[MKT-301] panels whose first load fails say so, and show their figures once a load succeeds', async () => {
    api.drop(marketData.book)
    api.drop(marketData.trades)
    api.drop(marketData.quotes)
    renderConsole('/trader/market-data')
    expect(await screen.findByText('The order book could not be loaded.')).toBeVisible()
    expect(await screen.findByText('Trades could not be loaded.')).toBeVisible()
    expect(await screen.findByText('Prices could not be loaded.')).toBeVisible()
    api.on(marketData.trades, { trades: [] })
    expect(await screen.findByRole('table', { name: 'Tape' })).toBeVisible()
    expect(screen.queryByText('Trades could not be loaded.')).toBeNull()
  })

  test('[TRD-60] a visit ticks the first step of a new user', async () => {
    setPreference('hasSeenMarket', false)
    await openMarketData()
    await waitFor(() => expect(getPreferences().hasSeenMarket).toBe(true))
  })

  test('[MKT-45] a click on a price of the ladder takes it over to the ticket as a limit order', async () => {
    const { user } = await openMarketData()
    await user.click(ticket().getByRole('radio', { name: 'MARKET' }))
    await user.click(await screen.findByRole('button', { name: 'Use 66,998.00 in the order' }))
    expect(ticket().getByRole('radio', { name: 'LIMIT' })).toBeChecked()
    expect(ticket().getByRole('spinbutton', { name: 'Price' })).toHaveValue(66_998)
    expect(ticket().getByText('BUY 0.001 BTC at 66,998.00, GTC')).toBeVisible()
  })

  test('[MKT-280] a click takes the price that was pressed, also when the ladder moves meanwhile', async () => {
    const { user, queryClient } = await openMarketData()
    const target = await screen.findByRole('button', { name: 'Use 66,998.00 in the order' })
    await user.pointer({ keys: '[MouseLeft>]', target })
    await act(async () => {
      queryClient.setQueryData(marketQueries.liveBook('BTCUSDT').queryKey, {
        instrument: 'BTCUSDT',
        bids: [66_000, 65_999].map((price) => ({ price, quantity: 1 })),
        asks: [{ price: 66_001, quantity: 1 }],
        at: new Date().toISOString(),
      })
    })
    await waitFor(() => expect(target).toHaveTextContent('65,999.00'))
    await user.pointer({ keys: '[/MouseLeft]', target })
    expect(ticket().getByRole('spinbutton', { name: 'Price' })).toHaveValue(66_998)
    target.focus()
    await user.keyboard('{Enter}')
    expect(ticket().getByRole('spinbutton', { name: 'Price' })).toHaveValue(65_999)
  })

  test('[STREAM-281] a quote renders the panels that show it, and not the screen around them', async () => {
    const renderings = countReads(copy.ticket, 'title')
    const { user, queryClient } = await openMarketData()
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    const before = renderings()
    expect(before).toBeGreaterThan(0)
    const at = new Date(Date.now() + 7_200_000).toISOString()
    const quote = { instrument: 'BTCUSDT', bid: 67_499, ask: 67_501, last: 67_500, at }
    await act(async () => {
      queryClient.setQueryData(marketQueries.liveQuotes().queryKey, new Map([['BTCUSDT', quote]]))
    })
    const chart = within(screen.getByRole('region', { name: 'Chart' }))
    await waitFor(() => expect(chart.getAllByText('67,500.00').length).toBeGreaterThan(0))
    const depth = within(screen.getByRole('table', { name: 'Depth' }))
    expect(depth.getByText('67,500.00')).toBeVisible()
    await act(async () => {
      queryClient.setQueryData(marketQueries.liveBook('BTCUSDT').queryKey, aBook('BTCUSDT', 67_500))
    })
    expect(renderings()).toBe(before)
    await user.click(ticket().getByRole('button', { name: 'bid' }))
    expect(ticket().getByRole('spinbutton', { name: 'Price' })).toHaveValue(67_499)
  })

  test('[MKT-550] bid and ask of the ticket and its buttons are those at the top of Depth, however old the preview is', async () => {
    api.on(service.capabilities, { capabilities: ['market-data', 'problems', 'order-preview'] })
    api.on(orders.preview, PREVIEW)
    const { user, queryClient } = await openMarketData()
    const preview = within(await ticket().findByRole('region', { name: 'Preview' }))
    await waitFor(() => expect(preview.getByText('66,999.00')).toBeVisible())
    api.answer(orders.preview, () => new Promise<Response>(() => {}))
    await act(async () => {
      queryClient.setQueryData(marketQueries.liveBook('BTCUSDT').queryKey, {
        instrument: 'BTCUSDT',
        bids: [{ price: 67_020, quantity: 1 }],
        asks: [{ price: 67_024, quantity: 1 }],
        at: new Date().toISOString(),
      })
    })
    await waitFor(() => expect(preview.getByText('67,020.00')).toBeVisible())
    expect(preview.getByText('67,024.00')).toBeVisible()
    expect(preview.getByText('4.00')).toBeVisible()
    expect(screen.getByRole('table', { name: 'Depth' })).toHaveTextContent('spread 4.00')
    await user.click(ticket().getByRole('button', { name: 'ask' }))
    expect(ticket().getByRole('spinbutton', { name: 'Price' })).toHaveValue(67_024)
  })

  test('[MKT-551] the ticket says from when bid and ask are once they are older than 5 s', async () => {
    api.on(service.capabilities, { capabilities: ['market-data', 'problems', 'order-preview'] })
    api.on(orders.preview, PREVIEW)
    const at = new Date(Date.now() - 6_000).toISOString()
    const book = aBook('BTCUSDT', 67_000)
    api.on(marketData.book, { ...book, at })
    await openMarketData()
    const preview = within(await ticket().findByRole('region', { name: 'Preview' }))
    expect(await preview.findByText(/^Bid and ask as of /)).toHaveTextContent(at.slice(11, 19))
    expect(preview.getByText('66,999.00')).toBeVisible()
  })

  test('[MKT-37] the ticket places an order in the instrument of the chart', async () => {
    api.on(orders.place, anOrder({ id: 'O-7' }))
    const { user } = await openMarketData('?instrument=ETHUSDT')
    await user.click(ticket().getByRole('radio', { name: 'SELL' }))
    await user.click(ticket().getByRole('button', { name: 'ask' }))
    await user.selectOptions(ticket().getByRole('combobox', { name: 'Time in force' }), 'IOC')
    await user.click(ticket().getByRole('checkbox', { name: 'Reduce only' }))
    await user.click(ticket().getByRole('button', { name: 'Create Order' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Order O-7 was placed.']))
    expect(api.calls(orders.place).map(({ body }) => body)).toEqual([
      {
        instrument: 'ETHUSDT',
        side: 'SELL',
        type: 'LIMIT',
        quantity: 0.001,
        price: 3_401,
        time_in_force: 'IOC',
        reduce_only: true,
      },
    ])
  })

  test('[MKT-302] another instrument gets neither price nor quantity of the last one, but its side and type', async () => {
    const { user } = await openMarketData('?instrument=ETHUSDT')
    await user.click(ticket().getByRole('radio', { name: 'SELL' }))
    await user.click(ticket().getByRole('radio', { name: 'STOP' }))
    await user.type(ticket().getByRole('spinbutton', { name: 'Price' }), '3300')
    await user.clear(ticket().getByRole('spinbutton', { name: 'Quantity' }))
    await user.type(ticket().getByRole('spinbutton', { name: 'Quantity' }), '25')
    await user.click(screen.getByRole('button', { name: /SOLUSDT.*171\.00/ }))
    await screen.findByRole('heading', { name: 'SOLUSDT' })
    expect(ticket().getByRole('spinbutton', { name: 'Price' })).toHaveValue(null)
    expect(ticket().getByRole('spinbutton', { name: 'Quantity' })).toHaveValue(0.001)
    expect(ticket().getByRole('radio', { name: 'SELL' })).toBeChecked()
    expect(ticket().getByRole('radio', { name: 'STOP' })).toBeChecked()
  })

  test('[MKT-37] a denied order leaves its reason in the ticket', async () => {
    const reason = { code: 'price.collar', sentence: 'The price is 9 % above the mark.' }
    api.on(orders.place, anOrder({ status: 'REJECTED', reason }))
    const { user } = await openMarketData()
    await user.click(ticket().getByRole('button', { name: 'Create Order' }))
    expect(await ticket().findByText('The price is 9 % above the mark.')).toBeVisible()
    expect(ticket().getByRole('spinbutton', { name: 'Price' })).toBeInvalid()
  })

  test('[MKT-32] working orders, position and fills of the instrument are listed', async () => {
    api.on(orders.list, {
      orders: [
        anOrder({ id: 'O-1', price: 66_800 }),
        anOrder({ id: 'O-2', instrument: 'ETHUSDT' }),
        anOrder({ id: 'O-3', status: 'FILLED' }),
      ],
    })
    api.on(positions.list, { positions: [aPosition(), aPosition({ id: 'P-2', instrument: 'ETHUSDT' })] })
    const { user } = await openMarketData()
    const tab = await screen.findByRole('tab', { name: 'Working orders 1' })
    expect(tab).toHaveAttribute('aria-selected', 'true')
    expect(screen.getByRole('table', { name: 'Working orders' })).toHaveTextContent(
      'O-1BUYLIMIT0.2566,800.00',
    )
    await user.click(screen.getByRole('tab', { name: 'Position 1' }))
    expect(screen.getByRole('table', { name: 'Position' })).toHaveTextContent('LONG0.1566,000.00')
  })

  test('[ORD-60] an order whose change is pending offers Cancel only', async () => {
    const change = { quantity: 1, price: 67_000 }
    api.on(orders.list, { orders: [anOrder({ id: 'O-1', pending_change: change })] })
    await openMarketData()
    const table = within(await screen.findByRole('table', { name: 'Working orders' }))
    expect(table.getByRole('button', { name: 'Cancel' })).toBeEnabled()
    expect(table.queryByRole('button', { name: 'Modify' })).toBeNull()
  })

  test('[POS-12] a position whose P&L is shown as 0.00 is neutral', async () => {
    api.on(positions.list, { positions: [aPosition({ unrealized_pnl: -0.001 })] })
    const { user } = await openMarketData()
    await user.click(await screen.findByRole('tab', { name: 'Position 1' }))
    const table = within(screen.getByRole('table', { name: 'Position' }))
    expect(table.getByText('$0.00')).toHaveAttribute('data-tone', 'calm')
  })

  test('[ORD-52] a denial that concerns the quantity is shown at it', async () => {
    const reason = { code: 'limit.order-size', sentence: 'Above Max Order Size.' }
    api.on(orders.place, anOrder({ status: 'REJECTED', reason }))
    const { user } = await openMarketData()
    await user.click(ticket().getByRole('button', { name: 'Create Order' }))
    expect(await ticket().findByText('Above Max Order Size.')).toBeVisible()
    expect(ticket().getByRole('spinbutton', { name: /Quantity/ })).toBeInvalid()
  })

  test('[MKT-38] an order is modified from its row, after the form is confirmed', async () => {
    api.on(orders.list, { orders: [anOrder({ id: 'O-1', price: 66_800 })] })
    api.on(orders.modify, anOrder({ id: 'O-1', price: 66_750 }))
    const { user } = await openMarketData()
    await user.click(await screen.findByRole('button', { name: 'Modify' }))
    const form = within(await screen.findByRole('dialog', { name: 'Modify Order' }))
    expect(form.getByText('was 66,800.00')).toBeVisible()
    await user.clear(form.getByRole('spinbutton', { name: 'Price' }))
    await user.type(form.getByRole('spinbutton', { name: 'Price' }), '66750')
    expect(api.calls(orders.modify)).toHaveLength(0)
    await user.click(form.getByRole('button', { name: 'Modify Order' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.calls(orders.modify).map(({ body }) => body)).toEqual([{ price: 66_750 }])
  })

  test('[MKT-39] indicators are set, added and removed; settings stay within their bounds', async () => {
    const { user } = await openMarketData('?indicators=ema:20')
    await user.click(screen.getByRole('button', { name: 'Indicators' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Indicators' }))
    const period = dialog.getByRole('spinbutton', { name: 'Period' })
    await user.clear(period)
    await user.type(period, '1')
    expect(dialog.getByText('From 2 to 500')).toBeVisible()
    await user.type(period, '2')
    await user.click(dialog.getByRole('button', { name: 'RSI' }))
    expect(dialog.getByRole('button', { name: 'Remove EMA 12' })).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Remove EMA 12' }))
    const stored = JSON.parse(localStorage.getItem('binnacle.preferences') ?? '{}')
    expect(stored.chartIndicators).toBe('rsi:14')
  })

  test('[MKT-48] on a phone SELL and BUY open the ticket with that side', async () => {
    const { matchMedia } = window
    vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
      Object.assign(matchMedia(query), { matches: query === '(max-width: 760px)' }),
    )
    const { user } = renderConsole('/trader/market-data')
    await user.click(await screen.findByRole('button', { name: /^SELL/ }))
    expect(ticket().getByRole('radio', { name: 'SELL' })).toBeChecked()
  })

  test('[MKT-303] on a phone a preview is asked for while the ticket is open', async () => {
    const { matchMedia } = window
    vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
      Object.assign(matchMedia(query), { matches: query === '(max-width: 760px)' }),
    )
    api.on(service.capabilities, { capabilities: ['market-data', 'problems', 'order-preview'] })
    api.fail(orders.preview, 503)
    const { user, queryClient } = renderConsole('/trader/market-data')
    const sell = await screen.findByRole('button', { name: /^SELL/ })
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    expect(api.calls(orders.preview)).toHaveLength(0)
    await user.click(sell)
    await waitFor(() => expect(api.calls(orders.preview).length).toBeGreaterThan(0))
  })

  test('[MKT-304] [SHELL-22] an import whose dialog is closed lists its bars once its job ends', async () => {
    let state: 'running' | 'done' = 'running'
    const gap = { from: '2024-01-01T11:40:00.000Z', to: '2024-01-01T12:00:00.000Z', missing: 20 }
    const at = '2026-01-05T10:00:00.000Z'
    const part = { instrument: 'ETHUSDT', bars: 9, from: gap.from, to: gap.to, gaps: 1 }
    const year = { name: 'year', interval: '1m', created_at: at, updated_at: at, instruments: [part] }
    api.on(dataSets.list, () => ({
      data_sets: state === 'done' ? [year] : [],
      upload_limit_bytes: 1e9,
    }))
    api.on(dataSets.upload, {
      upload_id: '00000000-0000-0000-0000-000000000001',
      filename: 'year.csv',
      bytes: 10,
      format: 'csv',
      columns: ['t', 'o', 'h', 'l', 'c'],
      sample: [],
      mapping: {
        kind: 'bars',
        has_header: true,
        open: 'o',
        high: 'h',
        low: 'l',
        close: 'c',
        time: 't',
        time_unit: 'auto',
      },
      instrument: 'ETHUSDT',
      expires_at: at,
    })
    api.on(dataSets.preview, { interval: '1m', rows_examined: 1, bars: [], bad_rows: 0, bad: [] })
    let accept = (_: Response) => {}
    api.answer(dataSets.import, () => new Promise<Response>((resolve) => (accept = resolve)))
    api.on(dataSets.progress, () => ({ job_id: 7, title: 'Import', state, progress: 0.5 }))
    const { user } = await openMarketData()
    await user.click(await screen.findByRole('button', { name: 'Import' }))
    await user.upload(await screen.findByLabelText('File'), new File(['t'], 'year.csv'))
    const dialog = within(screen.getByRole('dialog', { name: 'Import Market Data' }))
    await user.click(await dialog.findByRole('button', { name: 'Import' }))
    for (const close of dialog.getAllByRole('button', { name: 'Close' })) expect(close).toBeDisabled()
    accept(Response.json({ job_id: 7 }, { status: 202 }))
    await waitFor(() => expect(dialog.getAllByRole('button', { name: 'Close' })[1]).toBeEnabled())
    await user.click(dialog.getAllByRole('button', { name: 'Close' })[1] ?? document.body)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    state = 'done'
    expect(await screen.findByRole('button', { name: 'History gaps 1' })).toBeVisible()
  })

  test('[MKT-50] [MKT-51] [MKT-52] a file is mapped, checked and imported, and then shown', async () => {
    const guess = { open: 'o', high: 'h', low: 'l', close: 'c', time: 't', time_unit: 'auto' }
    const sets = vi.fn<() => { data_sets: never[]; upload_limit_bytes: number }>(() => ({
      data_sets: [],
      upload_limit_bytes: 1e9,
    }))
    api.on(dataSets.list, sets)
    api.on(dataSets.upload, {
      upload_id: '00000000-0000-0000-0000-000000000001',
      filename: 'ETHUSDT 2024.csv',
      bytes: 10,
      format: 'csv',
      columns: ['t', 'o', 'h', 'l', 'c'],
      sample: [['1', '2', '3', '1', '2']],
      mapping: { kind: 'bars', has_header: true, ...guess },
      instrument: 'ETHUSDT',
      expires_at: '2026-01-05T10:00:00.000Z',
    })
    api.on(dataSets.preview, { interval: '1m', rows_examined: 1, bars: [], bad_rows: 0, bad: [] })
    api.answer(dataSets.import, () => Response.json({ job_id: 7 }, { status: 202 }))
    api.on(dataSets.progress, () => ({
      job_id: 7,
      title: 'Import',
      state: 'done' as const,
      progress: 1,
      report: {
        name: 'ethusdt-2024',
        instrument: 'ETHUSDT',
        interval: '1m',
        dry_run: api.calls(dataSets.import).length === 1,
        rows: 5,
        bars: 4,
        bad_rows: 1,
        bad: [{ line: 3, reason: "close 'x' is not a number" }],
        duplicates: 0,
        rounded: 0,
        from: '2024-01-01T00:00:00.000Z',
        to: '2024-01-01T00:03:00.000Z',
        gaps: 0,
        duration_ms: 3,
      },
    }))
    const { user } = await openMarketData()
    await user.click(await screen.findByRole('button', { name: 'Import' }))
    const file = new File(['t,o,h,l,c'], 'ETHUSDT 2024.csv', { type: 'text/csv' })
    await user.upload(await screen.findByLabelText('File'), file)
    const dialog = within(screen.getByRole('dialog', { name: 'Import Market Data' }))
    expect(await dialog.findByRole('textbox', { name: 'Name of the data set' })).toHaveValue('ethusdt-2024')
    expect(dialog.getByRole('combobox', { name: 'Instrument' })).toHaveValue('ETHUSDT')
    await user.click(dialog.getByRole('button', { name: 'Check File' }))
    expect(await dialog.findByText('The whole file was checked; nothing is stored yet.')).toBeVisible()
    expect(dialog.getByRole('row', { name: "3 close 'x' is not a number" })).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Import' }))
    await user.click(await dialog.findByRole('button', { name: 'Show on Chart' }))
    expect(api.calls(dataSets.import).map(({ body }) => body)).toMatchObject([
      { name: 'ethusdt-2024', instrument: 'ETHUSDT', dry_run: true, mapping: { time: 't', close: 'c' } },
      { dry_run: false },
    ])
    await waitFor(() => expect(api.calls(marketData.bars).at(-1)?.query).toContain('data_set=ethusdt-2024'))
  })

  test('[MKT-450] Cancel Upload aborts the request, and the same file can be chosen again', async () => {
    let signal: AbortSignal | undefined
    const answer = globalThis.fetch
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      if (init.method !== 'POST' || !url.includes('/uploads')) return answer(url, init)
      signal = init.signal ?? undefined
      return new Promise((_, reject) =>
        signal?.addEventListener('abort', () => reject(signal?.reason), { once: true }),
      )
    })
    const { user } = await openMarketData()
    await user.click(await screen.findByRole('button', { name: 'Import' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Import Market Data' }))
    const file = new File(['t'], 'year.csv')
    await user.upload(await dialog.findByLabelText('File'), file)
    await user.click(await dialog.findByRole('button', { name: 'Cancel Upload' }))
    expect(await dialog.findByText('Upload cancelled. No data set was created.')).toBeVisible()
    expect(signal?.aborted).toBe(true)
    expect(toastsOfType('error')).toEqual([])
    expect(dialog.queryByRole('alert')).toBeNull()
    await user.upload(dialog.getByLabelText('File'), file)
    expect(await dialog.findByText('Uploading and reading the file…')).toBeVisible()
    expect(dialog.queryByText('Upload cancelled. No data set was created.')).toBeNull()
  })

  test('[MKT-53] [MKT-301] the gaps of imported history are counted and listed', async () => {
    const part = {
      instrument: 'ETHUSDT',
      bars: 9,
      from: '2024-01-01T00:00:00.000Z',
      to: '2024-01-02T00:00:00.000Z',
    }
    const at = '2026-01-05T10:00:00.000Z'
    api.on(dataSets.list, {
      data_sets: [
        { name: 'year', interval: '1m', created_at: at, updated_at: at, instruments: [{ ...part, gaps: 1 }] },
      ],
      upload_limit_bytes: 1e9,
    })
    api.on(dataSets.gaps, {
      gaps: [{ from: '2024-01-01T11:40:00.000Z', to: '2024-01-01T12:00:00.000Z', missing: 20 }],
      total: 1,
    })
    const { user, queryClient } = await openMarketData()
    await user.click(await screen.findByRole('button', { name: 'History gaps 1' }))
    expect(
      await screen.findByRole('row', { name: '2024-01-01 11:40:00 2024-01-01 12:00:00 20' }),
    ).toBeVisible()
    api.drop(dataSets.gaps)
    await user.keyboard('{Escape}')
    queryClient.removeQueries({ queryKey: ['data-sets', 'gaps'] })
    await user.click(screen.getByRole('button', { name: 'History gaps 1' }))
    expect(await screen.findByText('The gaps could not be loaded.')).toBeVisible()
  })
})
