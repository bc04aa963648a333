import { orderHistory, orders, service } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { clearToasts } from '#testkit/toasts.ts'
import { anOrder } from '#testkit/trading.ts'

let api: FakeApi
const counts = { PENDING: 1, FILLED: 1_200, CANCELLED: 30, REJECTED: 4 }

beforeEach(() => {
  api = createFakeApi()
  api.on(orders.list, {
    orders: [anOrder({ id: 'O-9' }), anOrder({ id: 'O-8', status: 'FILLED' })],
    next_cursor: 'O-8',
  })
  api.on(orderHistory.list, {
    orders: [anOrder({ id: 'O-3', status: 'FILLED' })],
    counts,
    next_cursor: 'O-3',
  })
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['problems', 'order-history'] })
})

afterEach(clearToasts)

const ids = () => screen.getAllByText(/^O-\d+$/).map((cell) => cell.textContent)
const lastQuery = () => api.calls(orderHistory.list).at(-1)?.query

test('[ORD-63] tabs have counts; Working is the streamed list, Filled is asked of the history', async () => {
  const { user } = renderConsole('/trader/orders')
  expect(await screen.findByRole('tab', { name: 'All 1,235', selected: true })).toBeVisible()
  expect(ids()).toEqual(['O-9', 'O-8'])
  await user.click(screen.getByRole('tab', { name: 'Working 1' }))
  expect(ids()).toEqual(['O-9'])
  await user.click(screen.getByRole('tab', { name: 'Filled 1,200' }))
  await waitFor(() => expect(ids()).toEqual(['O-3']))
  await waitFor(() => expect(lastQuery()).toContain('status=FILLED'))
  api.on(orderHistory.list, { orders: [], counts })
  await user.click(screen.getByRole('link', { name: 'Show older' }))
  expect(await screen.findByText('No orders match.')).toBeVisible()
  expect(lastQuery()).toContain('cursor=O-3')
})

test('[ORD-63] while the latest list is all there is, the counts are those of its rows', async () => {
  api.on(orders.list, { orders: [anOrder({ id: 'O-2' }), anOrder({ id: 'O-1', status: 'FILLED' })] })
  renderConsole('/trader/orders')
  expect(await screen.findByRole('tab', { name: 'All 2' })).toBeVisible()
  expect(screen.getByRole('tab', { name: 'Filled 1' })).toBeVisible()
  expect(api.calls(orderHistory.list)).toEqual([])
})

test('[ORD-64] a link opens the same tab, filters and dates', async () => {
  renderConsole(
    '/trader/orders?tab=rejected&instrument=BTCUSDT&strategy=MANUAL&from=2026-01-05&to=2026-01-06',
  )
  const tab = await screen.findByRole('tab', { name: /^Rejected/ })
  expect(tab).toHaveAttribute('aria-selected', 'true')
  const panel = within(screen.getByRole('tabpanel'))
  expect(panel.getByLabelText('Instrument')).toHaveValue('BTCUSDT')
  expect(panel.getByLabelText('Strategy')).toHaveValue('MANUAL')
  expect(panel.getByLabelText('From (UTC)')).toHaveValue('2026-01-05')
  await waitFor(() => {
    const queries = api.calls(orderHistory.list).map(({ query }) => new URLSearchParams(query))
    const shown = queries.find((query) => query.get('status') === 'REJECTED')
    expect(shown && Object.fromEntries(shown)).toMatchObject({
      instrument: 'BTCUSDT',
      strategy: 'MANUAL',
      from: '2026-01-05',
      to: '2026-01-07',
    })
  })
})
