import { orders, risk, routes, settings } from '@binnacle/contract'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createFakeApi } from '#testkit/fake-api.ts'
import { call } from './client.ts'
import { ApiError, problemText } from './failure.ts'

const anOrder = {
  id: 7,
  instrument: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  quantity: 1,
  price: 2,
  filled_qty: 0,
  status: 'PENDING',
}

/** Addresses are found, and then no call is ever answered. */
function answerNothing() {
  vi.stubGlobal('fetch', (url: string, { signal }: RequestInit = {}) => {
    if (url === '/config.json') return Promise.resolve(new Response('', { status: 404 }))
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  })
}

describe('the API client', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('[CLIENT-1] gives up after 30000 ms and not before', async () => {
    vi.useFakeTimers()
    answerNothing()
    const failed = vi.fn()
    const requested = call(orders.list, {}).catch(failed)
    await vi.advanceTimersByTimeAsync(29_999)
    expect(failed).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    await requested
    expect(failed).toHaveBeenCalledOnce()
    expect(failed.mock.calls[0]?.[0]).toMatchObject({ name: 'TimeoutError' })
  })

  test('[CLIENT-1] stops at once when the screen is left', async () => {
    answerNothing()
    const screen = new AbortController()
    const requested = call(orders.list, {}, { signal: screen.signal })
    screen.abort()
    await expect(requested).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('[CLIENT-2] raises exactly the status and its text', async () => {
    createFakeApi().fail(orders.list, 502, 'Bad Gateway')
    await expect(call(orders.list, {})).rejects.toThrow(/^API Error: 502 Bad Gateway$/)
  })

  test('[CLIENT-3] sends a body as JSON and says so, and no content type without a body', async () => {
    const sent: RequestInit[] = []
    vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
      if (url !== '/config.json') sent.push(init)
      return Response.json(url === '/config.json' ? {} : anOrder)
    })
    const body = { instrument: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: 1, price: 0 } as const
    await call(orders.place, { body })
    await call(orders.cancel, { params: { id: '7' } })
    expect(sent[0]).toMatchObject({ method: 'POST', headers: { 'Content-Type': 'application/json' } })
    expect(JSON.parse(String(sent[0]?.body))).toEqual(body)
    expect(sent[1]).toMatchObject({ method: 'DELETE' })
    expect(sent[1]?.headers).toEqual({})
  })

  test('puts path parameters and query values into the address, encoded', async () => {
    const api = createFakeApi()
    api.on(settings.update, {})
    await call(settings.update, { params: { setting_key: "a/b 'c'" }, query: { value: 'x&y=z' } })
    expect(api.calls(settings.update)).toEqual([
      {
        method: 'PUT',
        path: "/api/admin/settings/a%2Fb%20'c'",
        query: '?value=x%26y%3Dz',
        body: undefined,
        headers: {},
      },
    ])
  })

  test.each([
    ['204 without a body', () => new Response(null, { status: 204 })],
    ['an empty body', () => new Response('')],
    ['a body that is no JSON', () => new Response('done')],
    ['an unknown body', () => Response.json({ whatever: 1 })],
  ])('[CLIENT-4] a change answered with %s is done', async (_, answer) => {
    createFakeApi().answer(routes.remove, answer)
    await expect(call(routes.remove, { params: { id: '1' } })).resolves.toBeDefined()
  })

  test('[CLIENT-5] ignores unknown fields and fails on a missing one', async () => {
    const api = createFakeApi()
    api.answer(orders.list, () => Response.json({ orders: [{ ...anOrder, colour: 'red' }], page: 1 }))
    await expect(call(orders.list, {})).resolves.toEqual({ orders: [anOrder] })
    const { status: _, ...withoutStatus } = anOrder
    api.answer(orders.list, () => Response.json({ orders: [withoutStatus] }))
    await expect(call(orders.list, {})).rejects.toThrow('GET /api/orders answered in an unexpected shape')
  })

  test('[CLIENT-6] takes ids as numbers or strings and flags as numbers or booleans', async () => {
    const route = { method: 'GET', path: '/x', description: '', parameters: '{}', api_endpoint_id: 1 }
    createFakeApi().answer(routes.list, () =>
      Response.json({
        routes: [
          { ...route, id: 1, is_active: true, requires_auth: false },
          { ...route, id: 'b', is_active: 0, requires_auth: 1 },
        ],
      }),
    )
    const reply = await call(routes.list, { params: { id: '1' } })
    expect(reply.routes.map(({ id, is_active, requires_auth }) => [id, is_active, requires_auth])).toEqual([
      [1, 1, 0],
      ['b', 0, 1],
    ])
  })

  test('[CLIENT-7] takes a bare array for a list', async () => {
    createFakeApi().answer(orders.list, () => Response.json([anOrder]))
    await expect(call(orders.list, {})).resolves.toEqual({ orders: [anOrder] })
  })

  test('[CLIENT-8] sends a request once, even when it fails', async () => {
    const api = createFakeApi()
    api.drop(risk.metrics)
    await expect(call(risk.metrics, {})).rejects.toThrow('Failed to fetch')
    expect(api.calls(risk.metrics)).toHaveLength(1)
  })

  test('[CLIENT-12] keeps the sentence of a problem document', async () => {
    const problem = {
      type: 'about:blank',
      title: 'No',
      status: 422,
      detail: 'Quantity 0 is not allowed',
      code: 'x',
    }
    createFakeApi().answer(
      orders.list,
      () =>
        new Response(JSON.stringify(problem), {
          status: 422,
          headers: { 'content-type': 'application/problem+json; charset=utf-8' },
        }),
    )
    const error = await call(orders.list, {}).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(problemText(error)).toBe('Quantity 0 is not allowed')
  })

  test('an unchanged reply keeps its identity, a changed one does not', async () => {
    const api = createFakeApi()
    api.on(orders.list, { orders: [anOrder] })
    const first = await call(orders.list, {})
    expect(await call(orders.list, {})).toBe(first)
    api.on(orders.list, { orders: [] })
    expect(await call(orders.list, {})).not.toBe(first)
  })
})
