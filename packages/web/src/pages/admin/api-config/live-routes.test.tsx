import { routes, services } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { listing, openRoutes, routeButton } from '#testkit/open-routes.tsx'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'

describe('routes of a live backend', () => {
  afterEach(clearToasts)

  test('[API-34] Toggle of an enabled built-in route asks and says who will notice', async () => {
    const { api, user } = await openRoutes({ capabilities: [], listed: [{ ...listing, is_builtin: 1 }] })
    api.on(routes.update, { success: true })
    await user.click(routeButton('List the orders', 'Toggle'))
    const dialog = await screen.findByRole('dialog', { name: 'Disable GET /api/orders?' })
    expect(dialog).toHaveTextContent('Every screen of the console and every other client')
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    expect(api.calls(routes.update)).toEqual([])
    await user.click(routeButton('List the orders', 'Toggle'))
    await user.click(await screen.findByRole('button', { name: 'Disable' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Route disabled']))
    expect(api.calls(routes.update)).toMatchObject([{ body: { is_active: 0 } }])
  })

  test('[API-34] enabling a built-in route does not ask', async () => {
    const listed = [{ ...listing, is_builtin: 1 as const, is_active: 0 as const }]
    const { api, user } = await openRoutes({ capabilities: [], listed })
    api.on(routes.update, { success: true })
    await user.click(routeButton('List the orders', 'Toggle'))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Route enabled']))
  })

  test.each([
    ['[1]', 'Enter a JSON object, such as {"limit": 5}.'],
    ['{"limit":', 'Not valid JSON. Line 1, column 10: a value is missing.'],
  ])('[API-35] a route with the parameters %s is not added', async (parameters, reason) => {
    const { api, user } = await openRoutes({ capabilities: [] })
    api.on(routes.add, { success: true })
    const form = await openForm(user)
    const field = form.getByLabelText('Parameters')
    await user.clear(field)
    await user.click(field)
    await user.paste(parameters)
    await user.click(form.getByRole('button', { name: 'Add Route' }))
    await waitFor(() => expect(field).toHaveAccessibleDescription(reason))
    expect(api.calls(routes.add)).toEqual([])
    await user.clear(field)
    await user.paste('{"limit":5}')
    await user.click(form.getByRole('button', { name: 'Add Route' }))
    await waitFor(() =>
      expect(api.calls(routes.add)).toMatchObject([{ body: { parameters: '{"limit":5}' } }]),
    )
  })

  test('[API-40] a route is tried with parameters of the moment, and its response is shown', async () => {
    const listed = [{ ...listing, path: '/api/orders/{id}', parameters: '{}', is_builtin: 1 as const }]
    const { api, user } = await openRoutes({ capabilities: ['probes'], listed })
    api.on(services.health, { health: [] })
    api.on(routes.test, {
      success: true,
      response_time: 12,
      status: 200,
      size: 9,
      content_type: 'application/json',
      body: '{"id":"7"}',
    })
    await user.click(screen.getByRole('button', { name: 'Try it GET /api/orders/{id}' }))
    const drawer = await screen.findByRole('complementary', { name: 'Try GET /api/orders/{id}' })
    const field = within(drawer).getByLabelText('Parameters')
    expect(field).toHaveValue('{\n  "path": {\n    "id": ""\n  }\n}')
    await user.clear(field)
    await user.click(field)
    await user.paste('{"path":{"id":"7"}}')
    await user.click(within(drawer).getByRole('button', { name: 'Send request' }))
    const response = await within(drawer).findByRole('region', { name: 'Response' })
    expect(response).toHaveTextContent('HTTP 200')
    expect(response).toHaveTextContent('12 ms · 9 B · application/json')
    expect(response).toHaveTextContent('"id": "7"')
    expect(api.calls(routes.test)).toMatchObject([{ body: { parameters: '{"path":{"id":"7"}}' } }])
  })

  test('[API-41] Test all tests the routes that only read, and reports each', async () => {
    const listed = [
      listing,
      { ...listing, id: 8, path: '/api/orders/{id}', description: 'One order' },
      { ...listing, id: 9, method: 'POST', description: 'Place an order' },
    ]
    const { api, user } = await openRoutes({ capabilities: ['probes'], listed })
    api.on(services.health, { health: [] })
    api.on(routes.test, { success: false, response_time: 3, status: 503, error: 'HTTP 503' })
    await user.click(screen.getByRole('button', { name: 'Test all' }))
    const dialog = await screen.findByRole('dialog', { name: '0 of 1 routes answered OK' })
    expect(dialog).toHaveTextContent('GET /api/ordersHTTP 5033 ms')
    expect(dialog).toHaveTextContent('2 not tested: they may change something, or need values.')
    expect(api.calls(routes.test)).toHaveLength(1)
  })

  test('[API-38] [API-39] a service shows its last probes, its share of time up, and pending before down', async () => {
    const { api, queryClient } = await openRoutes({ capabilities: ['probes'] })
    const probe = (second: number, error: string | null) => ({
      at: `2026-03-04T10:00:0${second}.000Z`,
      response_time: 5,
      error,
    })
    const history = [probe(1, null), probe(2, null), probe(3, null), probe(4, 'HTTP 500')]
    api.on(services.health, {
      health: [
        { endpoint: 1, status: 'unhealthy', error: 'HTTP 500', is_pending: true, uptime: 0.75, history },
      ],
    })
    await queryClient.refetchQueries()
    expect(await screen.findByText('pending')).toBeVisible()
    expect(screen.getByText('75.0% up')).toBeVisible()
    expect(screen.getByRole('img', { name: 'The last 4 probes, oldest first' })).toBeVisible()
  })
})

async function openForm(user: Awaited<ReturnType<typeof openRoutes>>['user']) {
  await user.click(screen.getByRole('button', { name: 'Add Route' }))
  return within(await screen.findByRole('form', { name: 'Add Route' }))
}
