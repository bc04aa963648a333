import { orders, service } from '@binnacle/contract'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFakeApi } from '#testkit/fake-api.ts'
import { aFakeStream } from '#testkit/fake-stream.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { freezeDate } from '#testkit/time.ts'

beforeEach(() => freezeDate())

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const ORDER = { id: 'O-1', instrument: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: 1, filled_qty: 0 }

/** A console whose sockets are those of the test. */
function open(capabilities: string[] | undefined) {
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
  renderConsole('/trader/orders')
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
