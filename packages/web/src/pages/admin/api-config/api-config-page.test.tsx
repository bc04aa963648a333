import { routes, service, services, tradingEndpoint } from '@binnacle/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { orAborted } from '#data/transport/deadline.ts'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { advanceTime, freezeTime } from '#testkit/time.ts'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'

const tradingProbe = probeOf('/trading')
const pricingProbe = probeOf('/pricing')

const trading = { id: 1, name: 'Trading API', description: 'Orders', url: 'http://one.test/trading' }
const pricing = { id: 'p', name: 'Pricing API', description: 'Quotes', url: 'http://two.test/pricing/' }

const aRoute = {
  id: 7,
  api_endpoint_id: 1,
  method: 'GET',
  path: '/api/orders',
  description: 'List the orders',
  parameters: '{}',
  is_active: 1 as const,
  requires_auth: 0 as const,
}

describe('API services', () => {
  afterEach(clearToasts)

  test('[API-1] each service shows name, description, url, health and its routes, counted by one call', async () => {
    const api = createApi()
    renderConsole('/admin/api-config')
    const entry = await findService('Trading API')
    expect(within(entry).getByText('Orders')).toBeVisible()
    expect(within(entry).getByText('http://one.test/trading')).toBeVisible()
    expect(await within(entry).findByText('2 routes')).toBeVisible()
    expect(await within(entry).findByText('healthy')).toBeVisible()
    expect(await within(await findService('Pricing API')).findByText('1 route')).toBeVisible()
    expect(api.calls(routes.list).map(({ path }) => path)).toEqual([
      '/api/admin/routes/by-endpoint/1',
      '/api/admin/routes/by-endpoint/p',
    ])
  })

  test('[API-2] before a selection the right column says what to do and offers no adding', async () => {
    createApi()
    renderConsole('/admin/api-config')
    expect(await screen.findByText('Select an API service to manage its routes')).toBeVisible()
    await findService('Trading API')
    expect(screen.queryByRole('button', { name: 'Add Route' })).not.toBeInTheDocument()
  })

  test('[API-1] selecting a service shows its routes without another call', async () => {
    const api = createApi()
    const { user } = renderConsole('/admin/api-config')
    await within(await findService('Trading API')).findByText('2 routes')
    await user.click(screen.getByRole('button', { name: /Trading API/ }))
    expect(await screen.findAllByText('List the orders')).toHaveLength(2)
    expect(screen.getByRole('button', { name: /Trading API/ })).toHaveAttribute('aria-current', 'true')
    expect(screen.queryByText('Select an API service to manage its routes')).not.toBeInTheDocument()
    expect(api.calls(routes.list)).toHaveLength(2)
  })

  test('[API-2] a service in the URL is selected, an unknown one is ignored', async () => {
    createApi()
    const view = renderConsole('/admin/api-config?service=p')
    expect(await screen.findByText('Latest quotes')).toBeVisible()
    view.unmount()
    renderConsole('/admin/api-config?service=99')
    expect(await findService('Trading API')).toBeVisible()
    expect(screen.getByText('Select an API service to manage its routes')).toBeVisible()
  })

  test('[API-5] Refresh loads services, routes and health again, and Back goes to /admin', async () => {
    const api = createApi()
    const { user } = renderConsole('/admin/api-config')
    await within(await findService('Pricing API')).findByText('healthy')
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    await waitFor(() => expect(api.calls(services.list)).toHaveLength(2))
    await waitFor(() => expect(api.calls(routes.list)).toHaveLength(4))
    await waitFor(() => expect(api.calls(pricingProbe)).toHaveLength(2))
    await user.click(screen.getByRole('button', { name: 'Back' }))
    expect(screen.getByTestId('current-path')).toHaveTextContent('/admin')
  })

  test('[API-6] a failed load of the services says so at once and shows neither rows nor the empty text', async () => {
    const api = createApi()
    api.fail(services.list, 500)
    renderConsole('/admin/api-config')
    await waitFor(() => expect(toastsOfType('error')).toEqual(['Failed to load API endpoints']))
    expect(screen.getByText('The API services could not be read')).toBeVisible()
    expect(screen.queryByText('No API services yet')).not.toBeInTheDocument()
    expect(api.calls(services.list)).toHaveLength(1)
  })

  test('[CLIENT-12] the text of a problem document is shown below the message', async () => {
    const api = createApi()
    const problem = { type: 'about:blank', title: 'The server failed', status: 500, code: 'server.fault' }
    const headers = { 'Content-Type': 'application/problem+json' }
    api.answer(services.list, () => Response.json(problem, { status: 500, headers }))
    renderConsole('/admin/api-config')
    await waitFor(() => expect(toastsOfType('error')[0]).toContain('The server failed'))
  })

  test('[CLIENT-7] a bare array of services is accepted, and an empty one is reported', async () => {
    const api = createApi()
    api.answer(services.list, () => Response.json([]))
    renderConsole('/admin/api-config')
    expect(await screen.findByText('No API services yet')).toBeVisible()
  })

  test('a route count that fails to load is not shown as zero', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const api = createApi()
    api.fail(routes.list, 500)
    renderConsole('/admin/api-config?service=1')
    expect(await within(await findService('Trading API')).findByText('route count unavailable')).toBeVisible()
    expect(await screen.findByText('The routes could not be read')).toBeVisible()
    expect(screen.queryByText('No routes configured for this API')).not.toBeInTheDocument()
  })
})

describe('health probes', () => {
  afterEach(clearToasts)

  test('[API-7] the badge reads checking until the browser has its answer from {url}/api/health', async () => {
    const api = createApi()
    const { promise, resolve } = Promise.withResolvers<Response>()
    api.answer(pricingProbe, () => promise)
    renderConsole('/admin/api-config')
    const entry = await findService('Pricing API')
    await waitFor(() => expect(api.calls(pricingProbe)).toHaveLength(1))
    expect(within(entry).getByText('checking')).toBeVisible()
    resolve(new Response('whatever'))
    expect(await within(entry).findByText('healthy')).toBeVisible()
    expect(api.calls(services.health)).toHaveLength(0)
  })

  test.each([
    ['an empty body', () => new Response(null, { status: 204 })],
    ['no JSON', () => new Response('<html>')],
    ['a body that says otherwise', () => Response.json({ status: 'down' })],
  ])('[API-8] an OK status with %s is healthy', async (_, answer) => {
    const api = createApi()
    api.answer(pricingProbe, answer)
    renderConsole('/admin/api-config')
    expect(await within(await findService('Pricing API')).findByText('healthy')).toBeVisible()
  })

  test('[API-9] a non-OK status is unhealthy with HTTP and the status', async () => {
    const api = createApi()
    api.fail(pricingProbe, 503)
    renderConsole('/admin/api-config')
    const entry = await findService('Pricing API')
    expect(await within(entry).findByText('unhealthy')).toBeVisible()
    expect(within(entry).getByText('HTTP 503')).toBeVisible()
  })

  test.each([
    [new TypeError('Failed to fetch'), 'Failed to fetch'],
    [new TypeError(''), 'Connection failed'],
    ['no error at all', 'Connection failed'],
  ])('[API-9] [API-29] no answer (%s) is unhealthy with %s', async (failure, detail) => {
    const api = createApi()
    api.answer(pricingProbe, () => Promise.reject(failure))
    renderConsole('/admin/api-config')
    const entry = await findService('Pricing API')
    expect(await within(entry).findByText('unhealthy')).toBeVisible()
    expect(within(entry).getByText(detail)).toBeVisible()
  })

  test('[API-10] a probe counts as failed 5000 ms after it began and not before', async () => {
    const api = createApi()
    honourAbort()
    renderConsole('/admin/api-config')
    const entry = await findService('Pricing API')
    await within(entry).findByText('healthy')
    api.answer(pricingProbe, () => new Promise(() => {}))
    freezeTime()
    fireEvent.click(screen.getByRole('button', { name: 'Refresh' }))
    await advanceTime(4999)
    expect(within(entry).getByText('checking')).toBeVisible()
    await advanceTime(2)
    expect(within(entry).getByText('unhealthy')).toBeVisible()
    expect(within(entry).getByText('No answer within 5 s')).toBeVisible()
  })

  test('[API-11] with capability probes the server reports the health and the browser sends no probes', async () => {
    const api = createApi(['probes'])
    api.on(services.health, {
      health: [
        { endpoint: '1', status: 'healthy', response_time: 3 },
        { endpoint: 'p', status: 'unhealthy', error: 'HTTP 500' },
      ],
    })
    renderConsole('/admin/api-config')
    expect(await within(await findService('Trading API')).findByText('healthy')).toBeVisible()
    expect(within(await findService('Pricing API')).getByText('HTTP 500')).toBeVisible()
    expect([...api.calls(tradingProbe), ...api.calls(pricingProbe)]).toEqual([])
  })

  test('[API-11] a failed probe by the server leaves the health unknown', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const api = createApi(['probes'])
    api.fail(services.health, 500)
    renderConsole('/admin/api-config')
    expect(await within(await findService('Trading API')).findByText('unknown')).toBeVisible()
    expect(screen.queryByText('unhealthy')).not.toBeInTheDocument()
  })

  test('[API-7] without the trading API the browser sends the probes', async () => {
    const api = createApi()
    api.drop(service.capabilities)
    renderConsole('/admin/api-config')
    expect(await within(await findService('Trading API')).findByText('healthy')).toBeVisible()
  })
})

function createApi(capabilities?: string[]): FakeApi {
  const api = createFakeApi()
  if (capabilities) api.on(service.capabilities, { version: 'v1.0.0', capabilities })
  api.on(services.list, { endpoints: [trading, pricing] })
  api.on(routes.list, ({ path }) =>
    path.endsWith('/p')
      ? { routes: [{ ...aRoute, id: 'r', api_endpoint_id: 'p', description: 'Latest quotes' }] }
      : { routes: [aRoute, { ...aRoute, id: 8, method: 'POST' }] },
  )
  api.answer(tradingProbe, () => Response.json({}))
  api.answer(pricingProbe, () => Response.json({}))
  return api
}

function probeOf(path: `/${string}`) {
  return tradingEndpoint(`GET ${path}/api/health`, { summary: 'probe', role: 'anyone', reply: z.unknown() })
}

async function findService(name: string): Promise<HTMLElement> {
  const list = await screen.findByRole('list', { name: 'API Services' })
  const heading = await within(list).findByText(name)
  // The entry is the list item around the name.
  return heading.closest('li') as HTMLElement
}

/** Rejects when the signal aborts, as fetch does; the fake API ignores signals. */
function honourAbort(): void {
  const inner = fetch
  vi.stubGlobal('fetch', (input: string, init: RequestInit = {}) =>
    init.signal ? orAborted(inner(input, init), init.signal) : inner(input, init),
  )
}
