import { components, engine, orders, positions, risk, service } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { COUNTED_KEYS } from '#data/screen-counts.ts'
import { TOPIC_QUERIES } from '#data/stream/stream-topics.ts'
import { createFakeApi } from '#testkit/fake-api.ts'
import { aFakeStream } from '#testkit/fake-stream.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { freezeDate } from '#testkit/time.ts'
import { anEngine, riskMetrics } from '#testkit/trading.ts'

beforeEach(() => freezeDate())

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const ORDER = { id: 'O-1', instrument: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: 1, filled_qty: 0 }

/** A console whose sockets are those of the test. */
function open(capabilities: string[] | undefined, path = '/trader/orders') {
  const api = createFakeApi()
  if (capabilities !== undefined) api.on(service.capabilities, { capabilities })
  api.on(orders.list, { orders: [{ ...ORDER, status: 'PENDING' }] })
  const stream = aFakeStream()
  const opened: string[] = []
  vi.stubGlobal(
    'WebSocket',
    Object.assign(
      function FakeWebSocket(url: string) {
        opened.push(url)
        return stream.open(url)
      },
      { OPEN: 1 },
    ),
  )
  renderConsole(path)
  return { api, stream, opened }
}

test.each([
  ['the baseline', undefined],
  ['a backend without a stream', ['problems']],
])('[STREAM-13] %s opens no socket and marks nothing', async (_, capabilities) => {
  const { opened } = open(capabilities)
  await screen.findByText('PENDING')
  expect(opened).toEqual([])
  expect(screen.queryByRole('status', { name: 'Freshness' })).toBeNull()
})

test('[STREAM-12] [STREAM-15] a frame changes the screen, and the mark says how fresh it is', async () => {
  const { api, stream, opened } = open(['stream'])
  await screen.findByText('PENDING')
  await waitFor(() => expect(stream.count()).toBe(1))
  expect(opened).toEqual([`ws://${window.location.host}/api/stream`])
  stream.last().hello({})
  const filled = { orders: [{ ...ORDER, filled_qty: 1, status: 'FILLED' }] }
  stream.last().frame({ type: 'snapshot', seq: 1, topic: 'orders', data: filled })
  await screen.findByText('FILLED')
  expect(screen.getByRole('status', { name: 'Freshness' })).toHaveTextContent('Live')
  api.on(orders.list, filled)
  stream.last().cut()
  expect(await screen.findByText(/^Delayed · as of \d\d:\d\d:\d\d UTC$/)).toBeVisible()
})

test.each([
  ['/trader/positions', 'Portfolio'],
  ['/trader/risk', 'DataEngine'],
  ['/trader', 'Portfolio'],
])('[STREAM-60] [RISK-101] %s is stale since %s was stopped', async (path, name) => {
  const component = { id: 4, name, type: 'engine' }
  const history = [{ at: '2026-03-04T09:41:07.000Z', status: 'stopped', by: 'local' }]
  const { api, stream } = open(['stream', 'components'], path)
  api.on(positions.list, { positions: [] })
  api.on(risk.metrics, riskMetrics())
  api.on(engine.info, anEngine({}))
  api.on(engine.systemInfo, { components: [{ ...component, status: 'running' }] })
  api.on(components.details, {
    components: [{ id: '4', throughput: null, queue: null, last_error: null, history, versions: [] }],
  })
  await waitFor(() => expect(stream.count()).toBe(1))
  stream.last().hello({})
  const figures = { metrics: riskMetrics(), limits: {} }
  stream.last().frame({ type: 'snapshot', seq: 1, topic: 'risk', data: figures })
  const mark = await screen.findByRole('status', { name: 'Freshness' })
  await waitFor(() => expect(mark).toHaveTextContent(/^Live$/))
  const data = { components: [{ ...component, status: 'stopped' }] }
  stream.last().frame({ type: 'snapshot', seq: 2, topic: 'components', data })
  await waitFor(() => expect(mark).toHaveTextContent('Stale · as of 09:41:07 UTC'))
  expect(screen.queryByText('All Systems Normal')).toBeNull()
  expect(screen.queryByText('Risk metrics are within acceptable ranges.')).toBeNull()
})

test('[STREAM-540] orders of a stopped engine are Stopped while the stream is live', async () => {
  const { api, stream } = open(['stream'])
  api.on(engine.info, anEngine({ status: 'halted', is_running: false }))
  await waitFor(() => expect(stream.count()).toBe(1))
  stream.last().hello({})
  const data = { orders: [{ ...ORDER, status: 'PENDING' }] }
  stream.last().frame({ type: 'snapshot', seq: 1, topic: 'orders', data })
  expect(await screen.findByText(/^Stopped · as of \d\d:\d\d:\d\d UTC$/)).toBeVisible()
})

test('[STREAM-60] orders are live while Portfolio is stopped', async () => {
  const { api, stream } = open(['stream', 'components'])
  api.on(engine.systemInfo, { components: [{ id: 4, name: 'Portfolio', type: 'engine', status: 'stopped' }] })
  await waitFor(() => expect(stream.count()).toBe(1))
  stream.last().hello({})
  const data = { orders: [{ ...ORDER, status: 'PENDING' }] }
  stream.last().frame({ type: 'snapshot', seq: 1, topic: 'orders', data })
  expect(await screen.findByText('Portfolio is stopped.')).toBeVisible()
  const mark = await screen.findByRole('status', { name: 'Freshness' })
  await waitFor(() => expect(mark).toHaveTextContent(/^Live$/))
})

test('[SHELL-60] the rail counts the rows of the stream on a screen that does not show them', async () => {
  const { api, stream } = open(['stream'], '/docs')
  const counts = { running_strategies: 0, working_orders: 7, open_positions: 0 }
  api.on(engine.info, anEngine({ counts }))
  await waitFor(() => expect(stream.count()).toBe(1))
  stream.last().hello({})
  const working = { ...ORDER, status: 'PENDING' }
  const other = { ...working, id: 'O-2' }
  stream.last().frame({ type: 'snapshot', seq: 1, topic: 'orders', data: { orders: [working, other] } })
  const link = within(screen.getByRole('navigation', { name: 'Screens' })).getByRole('link', {
    name: 'Orders',
  })
  await waitFor(() => expect(link).toHaveAccessibleDescription('2 working'))
  const change = { changed: [{ ...ORDER, status: 'FILLED', filled_qty: 1 }], removed: [] }
  stream.last().frame({ type: 'change', seq: 2, topic: 'orders', data: change })
  await waitFor(() => expect(link).toHaveAccessibleDescription('1 working'))
  expect(api.calls(orders.list)).toEqual([])
  // A snapshot too large for a frame: the rows are no longer known, so the engine's own count holds.
  stream.last().frame({ type: 'snapshot', seq: 3, topic: 'orders' })
  await waitFor(() => expect(link).toHaveAccessibleDescription('7 working'))
})

test('[SHELL-60] the counted rows are those that the stream writes', () => {
  for (const topic of ['strategies', 'orders', 'positions'] as const)
    expect(COUNTED_KEYS[topic]).toEqual(TOPIC_QUERIES[topic][0].key)
})
