import { engine, marketData } from '@binnacle/contract'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { marketQueries } from '#data/market-data.ts'
import { streamQueries } from '#data/stream/stream-queries.ts'
import { getPreferences, setPreference } from '#state/preferences.ts'
import { countReads } from '#testkit/count-reads.ts'
import type { FakeApi } from '#testkit/fake-api.ts'
import {
  aBook,
  aQuote,
  createMarketDataApi,
  forgetMarketData,
  openMarketData,
  ticket,
} from '#testkit/market-data.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { anEngine } from '#testkit/trading.ts'
import { copy } from './copy.ts'

let api: FakeApi

beforeEach(() => {
  api = createMarketDataApi()
})

afterEach(forgetMarketData)

const watched = () =>
  within(screen.getByRole('list', { name: 'Watchlist' }))
    .getAllByRole('listitem')
    .map((row) => row.querySelector('b')?.textContent)

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
})
