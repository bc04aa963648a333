import { instruments, orders, service, strategies } from '@binnacle/contract'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { orderQueries } from '#data/orders.ts'
import { countReads } from '#testkit/count-reads.ts'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { fakeRunningClock, gapsInHalfSeconds, recordCallTimes, stopPolling } from '#testkit/polling.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { holdReply } from '#testkit/replies.ts'
import { advanceTime } from '#testkit/time.ts'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'
import { anOrder, aStrategy } from '#testkit/trading.ts'
import { copy } from './copy.ts'

let api: FakeApi

beforeEach(() => {
  api = createFakeApi()
})

afterEach(clearToasts)

async function openOrders(...listed: ReturnType<typeof anOrder>[]) {
  api.on(orders.list, { orders: listed })
  const view = renderConsole('/trader/orders')
  await screen.findByRole('table', { name: 'Orders' })
  return view
}

function rowOf(id: string) {
  const row = screen.getByRole('cell', { name: id }).closest('tr')
  if (!row) throw new Error(`no row for ${id}`)
  return within(row)
}

describe('orders', () => {
  test('[ORD-1] shows Loading until the first answer', async () => {
    const release = holdReply(api, orders.list, { orders: [anOrder()] })
    renderConsole('/trader/orders')
    expect(await screen.findByText('Loading orders...')).toBeVisible()
    expect(screen.queryByText('No Orders Yet')).toBeNull()
    release()
    expect(await screen.findByRole('table', { name: 'Orders' })).toBeVisible()
    expect(screen.queryByText('Loading orders...')).toBeNull()
  })

  test('[ORD-2] says No Orders Yet and shows no table', async () => {
    api.on(orders.list, { orders: [] })
    renderConsole('/trader/orders')
    expect(await screen.findByText('No Orders Yet')).toBeVisible()
    expect(screen.queryByRole('table')).toBeNull()
    expect(screen.queryByText('Loading orders...')).toBeNull()
  })

  test('[STREAM-283] an order that arrives renders the list, and not the screen around it', async () => {
    const renderings = countReads(copy, 'back')
    const { queryClient } = await openOrders(anOrder({ id: 'O-1' }))
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    const before = renderings()
    expect(before).toBeGreaterThan(0)
    const { queryKey } = orderQueries.list({ onFailure: () => {} })
    await act(async () => {
      queryClient.setQueryData(queryKey, { orders: [anOrder({ id: 'O-2' }), anOrder({ id: 'O-1' })] })
    })
    expect(await screen.findByRole('cell', { name: 'O-2' })).toBeVisible()
    expect(renderings()).toBe(before)
  })

  test('[ORD-3] has the specified columns in their order', async () => {
    await openOrders(anOrder())
    expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
      'Order ID',
      'Instrument',
      'Side',
      'Type',
      'Quantity',
      'Price',
      'Filled',
      'Status',
      'Actions',
    ])
  })

  test('[ORD-3] [FMT-1] shows each order as the server sent it', async () => {
    await openOrders(
      anOrder({ id: 'O-1', quantity: 1250.5, filled_qty: 0.1 }),
      anOrder({ id: 'O-2', type: 'MARKET', price: null, quantity: 4, filled_qty: 4, status: 'FILLED' }),
    )
    const cells = (id: string) =>
      rowOf(id)
        .getAllByRole('cell')
        .map((cell) => cell.textContent)
    expect(cells('O-1')).toEqual([
      'O-1',
      'BTCUSDT',
      'BUY',
      'LIMIT',
      '1,250.5',
      '67,204.10',
      '0.1',
      'PENDING',
      'Cancel',
    ])
    expect(cells('O-2').slice(3)).toEqual(['MARKET', '4', '—', '4', 'FILLED', ''])
  })

  test('[ORD-18] [ORD-50] [ORD-51] with a live backend an order shows fill price, fee and time', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: [] })
    api.on(instruments.list, { instruments: [{ id: 'BTCUSDT', tick_size: 0.1 }] })
    api.on(strategies.list, { strategies: [] })
    const created_at = '2026-01-05T14:02:11.500Z'
    const filled = { status: 'FILLED', filled_qty: 0.25, created_at }
    await openOrders(
      anOrder({
        id: 'O-1',
        ...filled,
        type: 'MARKET',
        price: null,
        average_price: 60_008.0133,
        fees: 6.0008,
      }),
      anOrder({ id: 'O-2', ...filled, price: 59_000, average_price: 58_990.5, fees: 0.0024 }),
      anOrder({ id: 'O-3', ...filled, instrument: 'X', average_price: 0.12345678901, fees: -0.5 }),
      anOrder({ id: 'O-4', average_price: null, fees: 0, created_at }),
    )
    const shown = (id: string) => {
      const cells = rowOf(id).getAllByRole('cell')
      const heads = screen.getAllByRole('columnheader')
      const textOf = (title: string) =>
        cells[heads.findIndex((head) => head.textContent === title)]?.textContent
      return ['Price', 'Fill Price', 'Fee', 'Time (UTC)'].map(textOf)
    }
    await waitFor(() => expect(shown('O-1')).toEqual(['—', '60,008.01', '$6.00', '2026-01-05 14:02:11']))
    expect(shown('O-2')).toEqual(['59,000.00', '58,990.50', '<$0.01', '2026-01-05 14:02:11'])
    expect(shown('O-3')).toEqual(['67,204.10', '0.12345679', '-$0.50', '2026-01-05 14:02:11'])
    expect(shown('O-4')).toEqual(['67,204.10', '—', '—', '2026-01-05 14:02:11'])
  })

  test('[ORD-19] with a live backend an order shows the name of its strategy', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: [] })
    api.on(instruments.list, { instruments: [] })
    api.on(strategies.list, { strategies: [aStrategy({ id: 'S-4', name: 'Desk arbitrage' })] })
    const { user } = await openOrders(
      anOrder({ id: 'O-1', strategy: 'MANUAL' }),
      anOrder({ id: 'O-2', strategy: 'S-4' }),
      anOrder({ id: 'O-3', strategy: 'S-1' }),
    )
    expect(await screen.findByRole('cell', { name: 'Desk arbitrage' })).toBeVisible()
    expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toContain('Strategy')
    expect(rowOf('O-3').getByRole('cell', { name: 'S-1' })).toBeVisible()
    await user.type(screen.getByRole('searchbox', { name: 'Filter orders' }), 'manual')
    await waitFor(() => expect(screen.queryByRole('cell', { name: 'O-2' })).toBeNull())
    expect(rowOf('O-1').getByRole('cell', { name: 'Manual' })).toBeVisible()
  })

  test('[ORD-19] [STRAT-40] an order of a deleted strategy shows the name that the backend sends', async () => {
    api.on(service.capabilities, { capabilities: ['problems'] })
    api.on(strategies.list, { strategies: [] })
    await openOrders(anOrder({ id: 'O-1', strategy: 'S-7', strategy_name: 'Old trend' }))
    expect(await screen.findByRole('cell', { name: 'Old trend' })).toBeVisible()
  })

  test('[ORD-19] in the baseline strategies are not requested', async () => {
    await openOrders(anOrder())
    expect(api.calls(strategies.list)).toEqual([])
  })

  test('[ORD-20] [ORD-26] a list that is cut says what it shows and leads to older orders and back', async () => {
    api.on(orders.list, ({ query }) =>
      query === '?cursor=O-3'
        ? { orders: [anOrder({ id: 'O-2', status: 'FILLED' })] }
        : { orders: [anOrder({ id: 'O-4' }), anOrder({ id: 'O-3', status: 'FILLED' })], next_cursor: 'O-3' },
    )
    const { user } = renderConsole('/trader/orders')
    const extent = 'Showing all open orders and the latest 1 finished ones.'
    expect(await screen.findByText(extent)).toBeVisible()
    expect(screen.getByPlaceholderText('Filter this page')).toBeVisible()
    await user.click(screen.getByRole('link', { name: 'Show older' }))
    expect(await screen.findByText('Older orders')).toBeVisible()
    expect(screen.queryByText(extent)).toBeNull()
    expect(await screen.findByRole('cell', { name: 'O-2' })).toBeVisible()
    expect(screen.queryByRole('cell', { name: 'O-4' })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Show older' })).toBeNull()
    await user.click(screen.getByRole('link', { name: 'Show latest' }))
    expect(await screen.findByText(extent)).toBeVisible()
    expect(screen.getByRole('cell', { name: 'O-4' })).toBeVisible()
  })

  test('[ORD-20] a complete list shows no note and is requested as specified', async () => {
    await openOrders(anOrder({ status: 'FILLED' }))
    expect(screen.queryByText(/are shown/)).toBeNull()
    expect(screen.queryByRole('link', { name: /^Show/ })).toBeNull()
    expect(screen.getByPlaceholderText('Filter')).toBeVisible()
    // A slow machine has polled again by now.
    expect(new Set(api.calls(orders.list).map(({ query }) => query))).toEqual(new Set(['']))
  })

  test('[ORD-4] a side is green for BUY and red for anything else', async () => {
    await openOrders(anOrder({ id: 'O-1' }), anOrder({ id: 'O-2', side: 'SELL' }))
    expect(screen.getByText('BUY')).toHaveAttribute('data-tone', 'good')
    expect(screen.getByText('SELL')).toHaveAttribute('data-tone', 'bad')
  })

  test('[ORD-5] [ORD-6] a status has its colour, and only PENDING offers Cancel', async () => {
    const statuses = ['FILLED', 'PENDING', 'CANCELLED', 'REJECTED', 'EXPIRED']
    await openOrders(...statuses.map((status) => anOrder({ id: `O-${status}`, status })))
    const tones = statuses.map((status) => screen.getByText(status).dataset.tone)
    expect(tones).toEqual(['good', 'warn', 'calm', 'bad', 'info'])
    const offers = statuses.map((status) => rowOf(`O-${status}`).queryAllByRole('button').length)
    expect(offers).toEqual([0, 1, 0, 0, 0])
  })

  test('[ORD-7] confirming Cancel this order? cancels that order and no other', async () => {
    const { user } = await openOrders(anOrder({ id: 'O-1' }), anOrder({ id: 'a/b', side: 'SELL' }))
    api.on(orders.cancel, {})
    await user.click(rowOf('a/b').getByRole('button', { name: 'Cancel' }))
    const question = await screen.findByRole('dialog')
    expect(within(question).getByText('Cancel this order?')).toBeVisible()
    expect(within(question).getByText('a/b · SELL 0.25 BTCUSDT')).toBeVisible()
    expect(api.calls(orders.cancel)).toEqual([])
    await user.dblClick(within(question).getByRole('button', { name: 'Cancel Order' }))
    await waitFor(() => expect(api.calls(orders.cancel)).toHaveLength(1))
    expect(api.calls(orders.cancel)[0]).toMatchObject({ method: 'DELETE', path: '/api/orders/a%2Fb' })
  })

  test('[CALL-50] a cancel that is not confirmed shows its message', async () => {
    const { user } = await openOrders(anOrder())
    const message = 'Cancel requested. Order O-1 is working until its venue confirms the cancel.'
    api.answer(orders.cancel, () => Response.json({ message, confirmed: false }, { status: 202 }))
    await user.click(rowOf('O-1').getByRole('button', { name: 'Cancel' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel Order' }))
    await waitFor(() => expect(toastsOfType('info')).toEqual([message]))
  })

  test('[ORD-7] [SHELL-14] a no, or Esc, cancels nothing', async () => {
    const { user } = await openOrders(anOrder())
    const cancel = rowOf('O-1').getByRole('button', { name: 'Cancel' })
    await user.click(cancel)
    const question = within(await screen.findByRole('dialog'))
    expect(question.queryByRole('button', { name: 'Cancel' })).toBeNull()
    await user.click(question.getByRole('button', { name: 'Keep Order' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(cancel)
    await screen.findByRole('dialog')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.calls(orders.cancel)).toEqual([])
  })

  test('[CLIENT-13] [CLIENT-14] after a cancel the list loads again, and until then nothing looks cancelled', async () => {
    stopPolling()
    const { user } = await openOrders(anOrder())
    const release = holdReply(api, orders.cancel, {})
    await user.click(rowOf('O-1').getByRole('button', { name: 'Cancel' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel Order' }))
    await waitFor(() => expect(rowOf('O-1').getByRole('button', { name: 'Cancel' })).toBeDisabled())
    expect(screen.getByText('PENDING')).toBeVisible()
    api.on(orders.list, { orders: [anOrder({ status: 'CANCELLED' })] })
    release()
    expect(await screen.findByText('CANCELLED')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
  })

  test('[ORD-12] polls every 5000 ms', async () => {
    fakeRunningClock()
    const times = recordCallTimes(api, orders.list, { orders: [anOrder()] })
    renderConsole('/trader/orders')
    await screen.findByRole('table', { name: 'Orders' })
    for (let poll = 0; poll < 2; poll += 1) await advanceTime(5000)
    await waitFor(() => expect(times).toHaveLength(3))
    expect(gapsInHalfSeconds(times)).toEqual([10, 10])
  })

  test('[ORD-13] Back goes to the admin panel', async () => {
    const { user } = await openOrders(anOrder())
    await user.click(screen.getByRole('button', { name: 'Back' }))
    await waitFor(() => expect(screen.getByTestId('current-path')).toHaveTextContent(/^\/admin$/))
  })

  test('[ORD-14] [ORD-23] a cancel that was not requested shows its reason in its row', async () => {
    const because = 'Cancelled by reduce-only mode.'
    const state = { code: 'cancel.trading-state', sentence: because }
    const requested = { code: 'cancel.asked', sentence: 'Cancelled on request.' }
    await openOrders(
      anOrder({ id: 'O-1', status: 'CANCELLED', reason: state }),
      anOrder({ id: 'O-2', status: 'CANCELLED', reason: requested }),
    )
    expect(rowOf('O-1').getByText(because)).toBeVisible()
    expect(rowOf('O-2').queryByText('Cancelled on request.')).toBeNull()
  })

  test('[ORD-14] a rejected order shows its reason, in either form', async () => {
    api.answer(orders.list, () =>
      Response.json({
        orders: [
          anOrder({ id: 'O-1', status: 'REJECTED', reason: { sentence: 'Over the maximum order size.' } }),
          { ...anOrder({ id: 'O-2', status: 'REJECTED' }), reason: 'The venue is closed.' },
          { ...anOrder({ id: 'O-3', status: 'FILLED' }), reason: 'Nobody asked.' },
        ],
      }),
    )
    renderConsole('/trader/orders')
    expect(await screen.findByText('Over the maximum order size.')).toBeVisible()
    expect(screen.getByText('The venue is closed.')).toBeVisible()
    expect(screen.queryByText('Nobody asked.')).toBeNull()
  })

  test('[SHELL-7] keeps its order, its filter and its rows while it is polled', async () => {
    fakeRunningClock()
    const { user } = await openOrders(
      anOrder({ id: 'O-1', quantity: 3 }),
      anOrder({ id: 'O-2', quantity: 1, instrument: 'ETHUSDT' }),
      anOrder({ id: 'O-3', quantity: 2 }),
    )
    await user.click(screen.getByRole('button', { name: 'Quantity' }))
    await user.type(screen.getByRole('searchbox', { name: 'Filter orders' }), 'btc')
    const ids = () => screen.getAllByRole('row').flatMap((row) => row.textContent?.match(/^O-\d/)?.[0] ?? [])
    await waitFor(() => expect(ids()).toEqual(['O-3', 'O-1']))
    api.on(orders.list, {
      orders: [anOrder({ id: 'O-4', quantity: 0.5 }), anOrder({ id: 'O-1', quantity: 3 })],
    })
    await advanceTime(5000)
    await waitFor(() => expect(ids()).toEqual(['O-4', 'O-1']))
    vi.spyOn(console, 'error').mockImplementation(() => {})
    api.drop(orders.list)
    await advanceTime(5000)
    expect(ids()).toEqual(['O-4', 'O-1'])
  })
})
