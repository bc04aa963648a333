import { service } from '@binnacle/contract'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { capabilityQueries } from './capabilities.ts'
import { createQueryClient } from './query-client.ts'

const problem = (status: number) => () =>
  Response.json({ type: 'about:blank', title: 'x', status, code: 'x' }, { status })

describe('what the backend is', () => {
  let api: FakeApi
  let stop: () => void

  beforeEach(() => {
    vi.useFakeTimers()
    api = createFakeApi()
  })

  afterEach(() => {
    stop()
    vi.useRealTimers()
  })

  /** Asks as the shell does, for as long as the test runs. */
  const watch = async () => {
    const client = createQueryClient()
    const observer = new QueryObserver(client, capabilityQueries.backend())
    stop = observer.subscribe(() => {})
    await vi.advanceTimersByTimeAsync(0)
    return { known: () => client.getQueryData(capabilityQueries.all), client }
  }
  const requested = () => api.calls(service.capabilities).length

  test('[CAP-1] a list of names, known ones or not, means a live backend with these capabilities', async () => {
    api.on(service.capabilities, { version: '1.0.0', capabilities: ['components', 'time-travel'] })
    const { known } = await watch()
    expect(known()).toEqual({ kind: 'live', capabilities: new Set(['components', 'time-travel']) })
    expect(api.calls(service.capabilities)[0]).toMatchObject({ method: 'GET', path: '/api/capabilities' })
  })

  test('[CAP-2] a 404 means baseline', async () => {
    api.fail(service.capabilities, 404, 'Not Found')
    const { known } = await watch()
    expect(known()).toEqual({ kind: 'baseline' })
  })

  test.each([
    ['a 500', () => new Response('', { status: 500 })],
    ['a 503 with a problem document', problem(503)],
    ['a 403', () => new Response('', { status: 403 })],
    ['no answer', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['a page in place of the list', () => new Response('<!doctype html>', { status: 200 })],
    ['a list under another name', () => Response.json({ features: ['components'] })],
    ['an empty reply', () => new Response(null, { status: 204 })],
  ])('[CAP-3] %s leaves the backend unknown', async (_, answer) => {
    api.answer(service.capabilities, answer)
    const { known } = await watch()
    expect(requested()).toBe(1)
    expect(known()).toBeUndefined()
  })

  test('[CAP-3] silence for 30 s leaves the backend unknown', async () => {
    const signals: (AbortSignal | null | undefined)[] = []
    vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) => {
      if (String(input).endsWith('/config.json')) return Promise.resolve(Response.json({}))
      signals.push(init?.signal)
      return new Promise((_, reject) =>
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
      )
    })
    const { known } = await watch()
    await vi.advanceTimersByTimeAsync(30_000)
    expect(signals[0]?.aborted).toBe(true)
    expect(known()).toBeUndefined()
  })

  test('[CAP-5] while it is unknown the console keeps requesting it until it is answered', async () => {
    api.fail(service.capabilities)
    const { known } = await watch()
    await vi.advanceTimersByTimeAsync(15_000)
    expect(requested()).toBe(4)
    api.fail(service.capabilities, 404, 'Not Found')
    await vi.advanceTimersByTimeAsync(5000)
    expect(known()).toEqual({ kind: 'baseline' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(requested()).toBe(5)
  })

  test.each([404, 500])('[CAP-6] a backend once seen live stays live when it answers %i', async (status) => {
    api.on(service.capabilities, { capabilities: ['components'] })
    const { known, client } = await watch()
    api.fail(service.capabilities, status)
    await client.refetchQueries()
    expect(requested()).toBe(2)
    expect(known()).toEqual({ kind: 'live', capabilities: new Set(['components']) })
  })
})
