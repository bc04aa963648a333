import { marketData, orders, service } from '@binnacle/contract'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { marketQueries } from '#data/market-data.ts'
import type { FakeApi } from '#testkit/fake-api.ts'
import { aBook, createMarketDataApi, forgetMarketData, openMarketData, ticket } from '#testkit/market-data.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { toastsOfType } from '#testkit/toasts.ts'
import { anOrder } from '#testkit/trading.ts'

let api: FakeApi

beforeEach(() => {
  api = createMarketDataApi()
})

afterEach(forgetMarketData)

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

describe('the ticket of market data', () => {
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

  test('[ORD-52] a denial that concerns the quantity is shown at it', async () => {
    const reason = { code: 'limit.order-size', sentence: 'Above Max Order Size.' }
    api.on(orders.place, anOrder({ status: 'REJECTED', reason }))
    const { user } = await openMarketData()
    await user.click(ticket().getByRole('button', { name: 'Create Order' }))
    expect(await ticket().findByText('Above Max Order Size.')).toBeVisible()
    expect(ticket().getByRole('spinbutton', { name: /Quantity/ })).toBeInvalid()
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
})
