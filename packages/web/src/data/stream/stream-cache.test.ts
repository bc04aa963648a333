import type { Order, StreamTopic } from '@binnacle/contract'
import { orders, service } from '@binnacle/contract'
import { QueryObserver } from '@tanstack/react-query'
import { waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { logOnly } from '#data/failure.ts'
import { orderQueries } from '#data/orders.ts'
import { createQueryClient } from '#data/query-client.ts'
import { createFakeApi } from '#testkit/fake-api.ts'
import { StreamCache } from './stream-cache.ts'
import { streamQueries } from './stream-queries.ts'

const KEY = ['orders', undefined]

function anOrder(id: string, status = 'PENDING'): Order {
  return { id, instrument: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: 1, filled_qty: 0, status }
}

function aCache() {
  const client = createQueryClient()
  let write = () => {}
  const cache = new StreamCache(client, (due) => {
    write = due
  })
  const snapshot = (topic: StreamTopic, data: unknown) =>
    cache.apply({ type: 'snapshot', seq: 1, topic, data })
  const change = (topic: StreamTopic, data: unknown) => cache.apply({ type: 'change', seq: 2, topic, data })
  const ids = () => client.getQueryData<{ orders: Order[] }>(KEY)?.orders.map(({ id }) => id)
  return { client, cache, snapshot, change, ids, write: () => write() }
}

afterEach(() => {
  vi.restoreAllMocks()
})

test('[STREAM-12] the stream writes the queries that polling writes, newest order first', () => {
  const { snapshot, change, ids, write, client } = aCache()
  snapshot('orders', { orders: [anOrder('O-2'), anOrder('O-1')], next_cursor: 'O-1' })
  write()
  expect(ids()).toEqual(['O-2', 'O-1'])
  change('orders', { changed: [anOrder('O-1', 'FILLED')], removed: [] })
  change('orders', { changed: [anOrder('O-3')], removed: ['O-2'] })
  expect(ids()).toEqual(['O-2', 'O-1'])
  write()
  expect(ids()).toEqual(['O-3', 'O-1'])
  expect(client.getQueryData(KEY)).toMatchObject({ next_cursor: 'O-1', orders: [{}, { status: 'FILLED' }] })
})

test('[STREAM-12] components and those that do not run are written together', () => {
  const { snapshot, write, client } = aCache()
  const component = (name: string, status: string) => ({ id: name, name, type: 'Engine', status })
  snapshot('components', { components: [component('Cache', 'running'), component('Portfolio', 'stopped')] })
  write()
  expect(client.getQueryData(['engine', 'components'])).toHaveLength(2)
  expect(client.getQueryData(['engine', 'stopped'])).toMatchObject([{ name: 'Portfolio' }])
})

test('[STREAM-12] a poll that was sent before a frame arrived does not take its news back', async () => {
  const api = createFakeApi()
  api.on(service.capabilities, { capabilities: ['stream'] })
  const { snapshot, change, ids, write, client } = aCache()
  snapshot('orders', { orders: [anOrder('O-1')] })
  write()
  const reply = Promise.withResolvers<Response>()
  api.answer(orders.list, () => reply.promise)
  const observer = new QueryObserver(client, orderQueries.list({ onFailure: logOnly }))
  const stop = observer.subscribe(() => {})
  await waitFor(() => expect(api.calls(orders.list)).toHaveLength(1))
  change('orders', { changed: [anOrder('O-2')], removed: [] })
  write()
  reply.resolve(Response.json({ orders: [anOrder('O-1')] }))
  await waitFor(() => expect(client.isFetching()).toBe(0))
  expect(ids()).toEqual(['O-2', 'O-1'])
  api.on(orders.list, { orders: [anOrder('O-3')] })
  await client.refetchQueries({ queryKey: KEY })
  expect(ids()).toEqual(['O-3'])
  stop()
})

test('[STREAM-5] replayed changes are shown only when the last of them has arrived', () => {
  const { cache, snapshot, change, ids, write } = aCache()
  snapshot('orders', { orders: [anOrder('O-1')] })
  write()
  cache.pauseWrites()
  change('orders', { changed: [anOrder('O-2')], removed: [] })
  write()
  expect(ids()).toEqual(['O-1'])
  cache.resumeWrites()
  expect(ids()).toEqual(['O-2', 'O-1'])
})

test('[STREAM-7] a snapshot without data, and data of another shape, reload the list', () => {
  const { client, snapshot, change } = aCache()
  const reload = vi.spyOn(client, 'invalidateQueries').mockResolvedValue()
  snapshot('orders', undefined)
  change('orders', { changed: 'all' })
  change('fills', { fills: [] })
  expect(reload.mock.calls.map(([filters]) => filters?.queryKey)).toEqual([KEY, KEY, ['fills']])
})

test('[STREAM-30] a list too large for a frame is loaded once, and changes follow its reply', async () => {
  const api = createFakeApi()
  const { client, snapshot, change, ids, write } = aCache()
  const early = Promise.withResolvers<Response>()
  const reply = Promise.withResolvers<Response>()
  api.answer(orders.list, () => (api.calls(orders.list).length === 1 ? early : reply).promise)
  const observer = new QueryObserver(client, orderQueries.list({ onFailure: logOnly }))
  const stop = observer.subscribe(() => {})
  await waitFor(() => expect(api.calls(orders.list)).toHaveLength(1))
  snapshot('orders', undefined)
  // Requested before the changes began: it is loaded once more.
  early.resolve(Response.json({ orders: [] }))
  await waitFor(() => expect(api.calls(orders.list)).toHaveLength(2))
  change('orders', { changed: [anOrder('O-2')], removed: [] })
  change('orders', { changed: [anOrder('O-2', 'FILLED')], removed: ['O-0'] })
  reply.resolve(Response.json({ orders: [anOrder('O-1'), anOrder('O-0')], next_cursor: 'O-0' }))
  await waitFor(() => expect(ids()).toEqual(['O-2', 'O-1']))
  change('orders', { changed: [anOrder('O-3')], removed: [] })
  change('orders', { changed: [anOrder('O-1', 'CANCELLED')], removed: [] })
  write()
  expect(ids()).toEqual(['O-3', 'O-2', 'O-1'])
  const statuses = client.getQueryData<{ orders: Order[] }>(KEY)?.orders.map(({ status }) => status)
  expect(statuses).toEqual(['PENDING', 'FILLED', 'CANCELLED'])
  expect(api.calls(orders.list)).toHaveLength(2)
  stop()
})

test('[STREAM-30] changes of a list that nobody loads request nothing', () => {
  const { client, snapshot, change, ids } = aCache()
  snapshot('orders', undefined)
  const reload = vi.spyOn(client, 'invalidateQueries')
  change('orders', { changed: [anOrder('O-2')], removed: [] })
  expect(reload).not.toHaveBeenCalled()
  expect(ids()).toBeUndefined()
})

/** A live stream that holds so many orders, and a server that has one. */
function aStreamedList(count: number) {
  const api = createFakeApi()
  api.on(orders.list, { orders: [anOrder('O-1')] })
  const cache = aCache()
  const { client } = cache
  const listed = Array.from({ length: count }, (_, index) => anOrder(`O-${count - index}`))
  cache.snapshot('orders', { orders: listed })
  cache.write()
  const setState = (kind: 'live' | 'disconnected') =>
    client.setQueryData(streamQueries.state().queryKey, { kind })
  setState('live')
  const poll = (before?: string) =>
    client.fetchQuery({ ...orderQueries.list({ onFailure: logOnly, before }), staleTime: 0 })
  const queries = () => api.calls(orders.list).map(({ query }) => query)
  return { ...cache, api, poll, queries, setState }
}

test('[STREAM-52] a poll of a long list loads one order while the stream is live, and fails when that fails', async () => {
  const { api, client, change, write, ids, poll, queries } = aStreamedList(1_001)
  const list = client.getQueryData(KEY)
  await poll()
  expect(queries()).toEqual(['?limit=1'])
  expect(client.getQueryData(KEY)).toBe(list)
  const reply = Promise.withResolvers<Response>()
  api.answer(orders.list, () => reply.promise)
  const polled = poll()
  await waitFor(() => expect(queries()).toHaveLength(2))
  change('orders', { changed: [anOrder('O-1002')], removed: [] })
  write()
  reply.resolve(Response.json({ orders: [] }))
  await polled
  expect(ids()?.slice(0, 2)).toEqual(['O-1002', 'O-1001'])
  api.fail(orders.list)
  await expect(poll()).rejects.toThrow('API Error: 500')
})

test('[STREAM-52] a list that the stream does not hold is loaded in full', async () => {
  const { poll, queries, setState, ids } = aStreamedList(1_001)
  setState('disconnected')
  await poll()
  expect(ids()).toEqual(['O-1'])
  expect(queries()).toEqual([''])
  await poll('O-9')
  expect(queries()).toEqual(['', '?cursor=O-9'])
  const invalid = aStreamedList(1_001)
  await invalid.client.invalidateQueries({ queryKey: KEY })
  await invalid.poll()
  expect(invalid.queries()).toEqual([''])
  const short = aStreamedList(1_000)
  await short.poll()
  expect(short.queries()).toEqual([''])
})

test('[STREAM-52] a stream that is lost during a poll does not count', async () => {
  const { api, poll, queries, setState, ids } = aStreamedList(1_001)
  api.on(orders.list, ({ query }) => {
    if (query !== '') setState('disconnected')
    return { orders: [anOrder('O-7')] }
  })
  await poll()
  expect(queries()).toEqual(['?limit=1', ''])
  expect(ids()).toEqual(['O-7'])
})
