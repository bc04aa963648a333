import { routes } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { listing, openRoutes, placing, routeButton, routeRow } from '#testkit/open-routes.tsx'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'

describe('routes of a service', () => {
  afterEach(clearToasts)

  test('[API-3] each route shows method, path, description and its four actions', async () => {
    await openRoutes()
    const row = routeRow('Place an order')
    expect(within(row).getByText('POST')).toBeVisible()
    expect(within(row).getByText('/api/orders')).toBeVisible()
    for (const name of ['Toggle', 'Test', 'Edit', 'Delete'])
      expect(within(row).getByRole('button', { name })).toBeEnabled()
  })

  test('[API-4] the Auth and Disabled badges follow the flags', async () => {
    await openRoutes()
    expect(badgesOf('List the orders')).toEqual({ auth: false, disabled: false })
    expect(badgesOf('Place an order')).toEqual({ auth: true, disabled: false })
    expect(badgesOf('Cancel an order')).toEqual({ auth: false, disabled: true })
  })

  test('[API-28] a built-in route has Edit and Delete disabled, with the reason', async () => {
    const own = { ...listing, id: 'trading.orders.list', is_builtin: 1 as const, is_always_on: 0 as const }
    await openRoutes({ listed: [own, { ...placing, is_builtin: 0 }] })
    for (const name of ['Edit', 'Delete']) {
      expect(routeButton('List the orders', name)).toBeDisabled()
      expect(routeButton('List the orders', name)).toHaveAccessibleDescription(
        /^Built-in routes can only be switched on or off and tested\.$/,
      )
      expect(routeButton('Place an order', name)).toBeEnabled()
    }
    for (const name of ['Toggle', 'Test']) expect(routeButton('List the orders', name)).toBeEnabled()
  })

  test('[API-28] [API-32] a route that must always work has Toggle disabled, with the reason', async () => {
    await openRoutes({ listed: [{ ...listing, is_builtin: 1, is_always_on: 1 }] })
    expect(routeButton('List the orders', 'Toggle')).toBeDisabled()
    expect(routeButton('List the orders', 'Toggle')).toHaveAccessibleDescription(
      /Built-in routes that must always work cannot be switched off\.$/,
    )
    expect(routeButton('List the orders', 'Test')).toBeEnabled()
  })

  test('[API-28] [API-33] a built-in route with a variable in its path has Test disabled', async () => {
    const path = '/api/orders/{id}'
    await openRoutes({
      listed: [
        { ...listing, path, is_builtin: 1 },
        { ...placing, path },
      ],
    })
    expect(routeButton('List the orders', 'Test')).toBeDisabled()
    expect(routeButton('List the orders', 'Test')).toHaveAccessibleDescription(
      /Built-in routes with a variable in their path cannot be tested\.$/,
    )
    expect(routeButton('Place an order', 'Test')).toBeEnabled()
  })

  test('[API-28] without these fields of the backend a route has every action', async () => {
    await openRoutes()
    expect(screen.queryByText(/Routes of the server itself/)).not.toBeInTheDocument()
  })

  test('[API-2] a service without routes shows the empty text and Add Route', async () => {
    const { api } = await openRoutes({ listed: [] })
    expect(await screen.findByText('No routes configured for this API')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Add Route' })).toBeEnabled()
    expect(api.calls(routes.list)).toHaveLength(1)
  })

  test('[API-12] [API-13] toggling an active route sends 0, says disabled and loads the routes again', async () => {
    const { api, user } = await openRoutes()
    api.on(routes.update, { success: true })
    await user.click(routeButton('List the orders', 'Toggle'))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Route disabled']))
    expect(api.calls(routes.update)).toMatchObject([{ path: '/api/admin/routes/7', body: { is_active: 0 } }])
    await waitFor(() => expect(api.calls(routes.list)).toHaveLength(2))
  })

  test('[API-12] [API-13] toggling a disabled route sends 1 and says enabled, also when answered 204', async () => {
    const { api, user } = await openRoutes()
    api.answer(routes.update, () => new Response(null, { status: 204 }))
    await user.click(routeButton('Cancel an order', 'Toggle'))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Route enabled']))
    expect(api.calls(routes.update)).toMatchObject([{ path: '/api/admin/routes/9', body: { is_active: 1 } }])
  })

  test('a double click toggles once, and the row is busy until its list is reloaded', async () => {
    const { api, user } = await openRoutes()
    const { promise, resolve } = Promise.withResolvers<Response>()
    api.answer(routes.update, () => promise)
    await user.dblClick(routeButton('List the orders', 'Toggle'))
    await waitFor(() => expect(routeButton('List the orders', 'Toggle')).toBeDisabled())
    expect(routeButton('Place an order', 'Toggle')).toBeEnabled()
    resolve(Response.json({ success: true }))
    await waitFor(() => expect(routeButton('List the orders', 'Toggle')).toBeEnabled())
    expect(api.calls(routes.update)).toHaveLength(1)
  })

  test('[API-14] [API-15] a test sends no body and shows the time of the reply', async () => {
    const { api, user } = await openRoutes()
    api.on(routes.test, { success: true, response_time: 41.5 })
    await user.click(routeButton('Place an order', 'Test'))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Route test successful (41.5ms)']))
    expect(api.calls(routes.test)).toMatchObject([{ path: '/api/admin/routes/r-8/test', body: undefined }])
  })

  test('[API-27] with probes a test that may change data is sent only after a confirmation', async () => {
    const { api, user } = await openRoutes({ capabilities: ['probes'] })
    api.on(routes.test, { success: true, response_time: 3 })
    await screen.findByText('healthy')
    await user.click(routeButton('Place an order', 'Test'))
    expect(await screen.findByText('Send POST /api/orders?')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByText('Send POST /api/orders?')).toBeNull())
    expect(api.calls(routes.test)).toEqual([])
    await user.click(routeButton('Place an order', 'Test'))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Send' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Route test successful (3ms)']))
    expect(api.calls(routes.test)).toMatchObject([
      { path: '/api/admin/routes/r-8/test', body: { send: true } },
    ])
  })

  test('[API-36] a test that calls the server itself is sent only after a second confirmation', async () => {
    const { api, user } = await openRoutes({ capabilities: ['probes'] })
    api.on(routes.test, { success: false, error: 'own server', confirm: 'own_server' })
    await screen.findByText('healthy')
    await user.click(routeButton('Place an order', 'Test'))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Send' }))
    expect(await screen.findByText('Send POST /api/orders to this server itself?')).toBeVisible()
    api.on(routes.test, { success: true, response_time: 3 })
    await user.click(screen.getByRole('button', { name: 'Send to this server' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Route test successful (3ms)']))
    expect(toastsOfType('error')).toEqual([])
    expect(api.calls(routes.test).map(({ body }) => body)).toEqual([
      { send: true },
      { send: true, own_server: true },
    ])
  })

  test('[API-27] with probes a GET is tested without a confirmation', async () => {
    const { api, user } = await openRoutes({ capabilities: ['probes'] })
    api.on(routes.test, { success: true, response_time: 3 })
    await screen.findByText('healthy')
    await user.click(routeButton('List the orders', 'Test'))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Route test successful (3ms)']))
    expect(api.calls(routes.test)).toMatchObject([{ path: '/api/admin/routes/7/test', body: undefined }])
  })

  test.each([
    [{ success: false, error: 'refused' }, 'Route test failed: refused'],
    [{ success: false }, 'Route test failed: Unknown error'],
    [{ success: false, error: '' }, 'Route test failed: Unknown error'],
    [{}, 'Route test failed: Unknown error'],
  ])('[API-16] a test answered with %j shows %s', async (reply, message) => {
    const { api, user } = await openRoutes()
    api.answer(routes.test, () => Response.json(reply))
    await user.click(routeButton('List the orders', 'Test'))
    await waitFor(() => expect(toastsOfType('error')).toEqual([message]))
  })

  test('[API-22] Delete needs a confirmation; Cancel makes no call', async () => {
    const { api, user } = await openRoutes()
    api.on(routes.remove, { success: true })
    await user.click(routeButton('Place an order', 'Delete'))
    const question = await screen.findByRole('dialog')
    expect(question).toHaveTextContent('Are you sure you want to delete this route?')
    expect(within(question).getByText('POST /api/orders')).toBeVisible()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(api.calls(routes.remove)).toEqual([])
    await user.click(routeButton('Place an order', 'Delete'))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Route deleted successfully']))
    expect(api.calls(routes.remove)).toMatchObject([{ path: '/api/admin/routes/r-8' }])
    await waitFor(() => expect(api.calls(routes.list)).toHaveLength(2))
  })
})

function badgesOf(description: string) {
  const row = within(routeRow(description))
  return { auth: row.queryByText('Auth') !== null, disabled: row.queryByText('Disabled') !== null }
}
