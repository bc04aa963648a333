import type { ServerFrame } from '@binnacle/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aFakeStream } from '#testkit/fake-stream.ts'
import { StreamSocket, type StreamState } from './stream-socket.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

function aSocket({ random = () => 1 }: { random?: () => number } = {}) {
  const stream = aFakeStream()
  const states: StreamState['kind'][] = []
  const frames: ServerFrame[] = []
  const socket = new StreamSocket({
    url: 'ws://server/api/stream',
    topics: ['orders', 'risk'],
    onFrame: (frame) => frames.push(frame),
    onState: ({ kind }) => states.push(kind),
    openSocket: stream.open,
    random,
  })
  socket.start()
  return { socket, stream, states, frames }
}

test('[STREAM-16] a client subscribes to what is offered and is live once nothing is missing', () => {
  const { stream, states } = aSocket()
  stream.last().hello({ topics: ['orders', 'engine'] })
  expect(stream.last().sent).toEqual([{ type: 'subscribe', topics: ['orders'] }])
  stream.last().frame({ type: 'snapshot', seq: 3, topic: 'orders', data: {}, partial: true })
  expect(states).toEqual(['connecting'])
  stream.last().frame({ type: 'heartbeat', seq: 3, at: '' })
  expect(states.at(-1)).toBe('live')
})

test('[STREAM-16] after a loss it connects again, each time later and not at the same instant, and resumes', () => {
  const { stream, states } = aSocket({ random: () => 0 })
  stream.last().hello({})
  stream.last().frame({ type: 'heartbeat', seq: 7, at: '' })
  const waits: number[] = []
  for (let round = 1; round <= 7; round++) {
    stream.last().cut()
    expect(states.at(-1)).toBe('disconnected')
    const before = Date.now()
    while (stream.count() === round) vi.advanceTimersByTime(10)
    waits.push(Date.now() - before)
  }
  expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 7_500, 7_500])
  stream.last().hello({})
  expect(stream.last().sent[0]).toMatchObject({ resume: { epoch: 'e-1', seq: 7 } })
})

test('[STREAM-16] a connection that is silent for three heartbeats counts as lost', () => {
  const { stream, states } = aSocket()
  stream.last().hello({ heartbeat_ms: 1_000 })
  vi.advanceTimersByTime(2_900)
  stream.last().frame({ type: 'heartbeat', seq: 1, at: '' })
  vi.advanceTimersByTime(2_900)
  expect(states.at(-1)).toBe('live')
  vi.advanceTimersByTime(200)
  expect(states.at(-1)).toBe('disconnected')
})

test('[STREAM-16] offline ends the connection, and online opens one at once', () => {
  const { stream, states } = aSocket()
  stream.last().hello({})
  window.dispatchEvent(new Event('offline'))
  expect(states.at(-1)).toBe('disconnected')
  window.dispatchEvent(new Event('online'))
  expect(stream.count()).toBe(2)
})

test('[STREAM-8] a paused stream is not live, and a snapshot that is a part is no place to resume', () => {
  const { stream, states } = aSocket()
  stream.last().hello({})
  stream.last().frame({ type: 'heartbeat', seq: 4, at: '' })
  stream.last().frame({ type: 'snapshot', seq: 9, topic: 'orders', data: {}, partial: true })
  stream.last().frame({ type: 'status', seq: 4, paused: 'MessageBus is stopped.' })
  stream.last().frame({ type: 'heartbeat', seq: 4, at: '' })
  expect(states.at(-1)).toBe('paused')
  stream.last().cut()
  vi.advanceTimersByTime(600)
  stream.last().hello({})
  expect(stream.last().sent[0]).toMatchObject({ resume: { seq: 4 } })
})

test('[STREAM-16] frames that are no frames change nothing', () => {
  const { stream, frames, states } = aSocket()
  for (const text of ['', '{', '[]', '{"type":"shout"}', '{"type":"change","seq":-1}'])
    stream.last().text(text)
  expect(frames).toEqual([])
  expect(states).toEqual(['connecting'])
})

test('[MKT-43] market data is subscribed while it is shown, also after a loss', () => {
  const { socket, stream } = aSocket()
  const subscription = { instruments: ['BTCUSDT'], intervals: ['1m' as const] }
  const market = ['trades', 'bars', 'book']
  stream.last().hello({ topics: ['orders', 'quotes', ...market] })
  socket.setSubscription(subscription)
  const subscribed = [
    { type: 'subscribe', topics: ['quotes'] },
    { type: 'subscribe', topics: market, ...subscription },
  ]
  expect(stream.last().sent.slice(1)).toEqual(subscribed)
  stream.last().cut()
  vi.advanceTimersByTime(600)
  stream.last().hello({ topics: ['orders', 'quotes', ...market] })
  expect(stream.last().sent.slice(1)).toEqual(subscribed)
  socket.setSubscription(undefined)
  expect(stream.last().sent.at(-1)).toEqual({ type: 'unsubscribe', topics: ['quotes', ...market] })
})

test('[MKT-43] a server without market data is not asked for it', () => {
  const { socket, stream } = aSocket()
  socket.setSubscription({ instruments: ['BTCUSDT'], intervals: ['1m'] })
  stream.last().hello({})
  expect(stream.last().sent).toHaveLength(1)
})
