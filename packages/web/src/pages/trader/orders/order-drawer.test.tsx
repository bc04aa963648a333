import { orders, service } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { problemReply } from '#testkit/replies.ts'
import { anOrder } from '#testkit/trading.ts'

let api: FakeApi

beforeEach(() => {
  api = createFakeApi()
  api.on(orders.list, { orders: [anOrder({ id: 'O-7', status: 'FILLED' })] })
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['problems', 'order-detail'] })
})

test('[ORD-68] the id of an order opens the drawer with signal, intent, checks and steps', async () => {
  api.on(orders.detail, {
    order: anOrder({ id: 'O-7', status: 'FILLED' }),
    basis: {
      effect: 'adds',
      quote: { bid: 50_000, ask: 50_001, age_ms: 40 },
      checks: [{ check: 'max_order_size', value: 5_000.1, limit: 10_000 }],
      intent: { type: 'target', position: 0.25 },
      signal: { fast_average: 50_010.5 },
    },
    steps: [
      { at: '2026-01-05T12:00:00.000Z', journal_seq: 4, event: 'submitted', by: null, quantity: 0.25 },
      {
        at: '2026-01-05T12:00:00.040Z',
        journal_seq: 5,
        event: 'filled',
        by: null,
        quantity: 0.25,
        price: 50_001,
        fee: 12.5,
        liquidity: 'TAKER',
      },
    ],
    is_complete: true,
  })
  const { user } = renderConsole('/trader/orders')
  await user.click(await screen.findByRole('link', { name: 'O-7' }))
  const drawer = within(await screen.findByRole('complementary', { name: 'Order O-7' }))
  expect(await drawer.findByText('Why this order?')).toBeVisible()
  expect(drawer.getByText('fast average 50,010.5')).toBeVisible()
  expect(drawer.getByText('Position of 0.25')).toBeVisible()
  expect(drawer.getByRole('row', { name: 'Max Order Size ✓ $5,000.10 $10,000.00' })).toBeVisible()
  expect(drawer.getByText(/0.25 · at 50,001.00 · fee \$12.50 · taker/)).toBeVisible()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('complementary', { name: 'Order O-7' })).toBeNull())
})

test('[ORD-450] the check that denied the order is marked, not the limits that it would have met later', async () => {
  api.on(orders.detail, {
    order: anOrder({
      id: 'O-7',
      status: 'REJECTED',
      reason: { code: 'limit.order-size', sentence: 'Above Max Order Size.' },
    }),
    basis: {
      effect: 'adds',
      quote: { bid: 50_000, ask: 50_001, age_ms: 40 },
      checks: [
        { check: 'quote_age_ms', value: 40, limit: 60_000 },
        { check: 'max_order_size', value: 50_001, limit: 10_000 },
        { check: 'max_position_size', value: 50_001, limit: 50_000 },
      ],
    },
    steps: [{ at: '2026-01-05T12:00:00.000Z', journal_seq: 4, event: 'denied', by: 'ann' }],
    is_complete: true,
  })
  renderConsole('/trader/orders?order=O-7')
  const drawer = within(await screen.findByRole('complementary', { name: 'Order O-7' }))
  const rows = (await drawer.findAllByRole('row')).slice(1).map(({ textContent }) => textContent)
  expect(rows.map((text) => text?.match(/[✓✗]/)?.[0])).toEqual(['✓', '✗', undefined])
})

test('[ORD-68] two equal fills of one journal entry are both listed', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const fill = {
    at: '2026-01-05T12:00:00.040Z',
    journal_seq: 5,
    event: 'filled',
    by: null,
    quantity: 0.1,
    price: 50_001,
  }
  api.on(orders.detail, {
    order: anOrder({ id: 'O-7', status: 'FILLED' }),
    basis: null,
    steps: [fill, fill],
    is_complete: true,
  })
  renderConsole('/trader/orders?order=O-7')
  const drawer = within(await screen.findByRole('complementary', { name: 'Order O-7' }))
  expect(await drawer.findAllByText(/0.1 · at 50,001.00/)).toHaveLength(2)
  expect(log.mock.calls.filter(([text]) => String(text).includes('same key'))).toEqual([])
})

test('[ORD-68] an address opens the drawer; what was not recorded is said to be so', async () => {
  api.on(orders.detail, {
    order: anOrder({ id: 'O-3', status: 'REJECTED', reason: { sentence: 'Trading is halted.' } }),
    basis: null,
    steps: [],
    is_complete: true,
  })
  renderConsole('/trader/orders?order=O-3')
  const drawer = within(await screen.findByRole('complementary', { name: 'Order O-3' }))
  expect(await drawer.findByText('Not recorded: the order was placed by an older version.')).toBeVisible()
  expect(drawer.getByText('Trading is halted.')).toBeVisible()
})

test('[ORD-69] the drawer of an order that an exit price placed names the price', async () => {
  api.on(orders.detail, {
    order: anOrder({ id: 'O-7', status: 'FILLED' }),
    basis: {
      effect: 'closes',
      quote: { bid: 48_990, ask: 48_991, age_ms: 0 },
      checks: [],
      intent: { type: 'exit', exit: 'stop-loss', price: 49_000 },
    },
    steps: [],
    is_complete: true,
  })
  renderConsole('/trader/orders?order=O-7')
  const drawer = within(await screen.findByRole('complementary', { name: 'Order O-7' }))
  expect(await drawer.findByText('Stop-loss at 49,000.00 reached')).toBeVisible()
  expect(drawer.getByText('by the engine, at an exit price of the position')).toBeVisible()
})

test('[ORD-77] the drawer of an unknown order says so in the words of the screen', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  api.answer(orders.detail, () => problemReply(404, "There is no order 'O-999'. GET /api/orders lists them."))
  renderConsole('/trader/orders?order=O-999')
  const drawer = within(await screen.findByRole('complementary', { name: 'Order O-999' }))
  expect(await drawer.findByText('There is no order O-999.')).toBeVisible()
})
