import { routes, service, services } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { forgetToasts, toastsOfType } from '#testkit/toasts.ts'

const listing = {
  id: 7,
  api_endpoint_id: 1,
  method: 'GET',
  path: '/api/orders',
  description: 'List the orders',
  parameters: '{"limit":5}',
  is_active: 1 as 0 | 1,
  requires_auth: 0 as 0 | 1,
}
const placing = {
  ...listing,
  id: 'r-8',
  method: 'POST',
  description: 'Place an order',
  requires_auth: 1 as const,
}
const closing = { ...listing, id: 9, method: 'DELETE', description: 'Cancel an order', is_active: 0 as const }

describe('routes of a service', () => {
  afterEach(forgetToasts)

  it('[API-3] each route shows method, path, description and its four actions', async () => {
    await openRoutes()
    const row = rowOf('Place an order')
    expect(within(row).getByText('POST')).toBeVisible()
    expect(within(row).getByText('/api/orders')).toBeVisible()
    for (const name of ['Toggle', 'Test', 'Edit', 'Delete'])
      expect(within(row).getByRole('button', { name })).toBeEnabled()
  })

  it('[API-4] Auth and Disabled stand exactly where the flags say so', async () => {
    await openRoutes()
    expect(badgesOf('List the orders')).toEqual({ auth: false, disabled: false })
    expect(badgesOf('Place an order')).toEqual({ auth: true, disabled: false })
    expect(badgesOf('Cancel an order')).toEqual({ auth: false, disabled: true })
  })

  it('[API-2] a service without routes says so and can get one', async () => {
    const { api } = await openRoutes({ listed: [] })
    expect(await screen.findByText('No routes configured for this API')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Add Route' })).toBeEnabled()
    expect(api.calls(routes.list)).toHaveLength(1)
  })

  it('[API-12] [API-13] toggling an active route sends 0, says disabled and loads the routes again', async () => {
    const { api, user } = await openRoutes()
    api.on(routes.update, { success: true })
    await user.click(button('List the orders', 'Toggle'))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Route disabled']))
    expect(api.calls(routes.update)).toMatchObject([{ path: '/api/admin/routes/7', body: { is_active: 0 } }])
    await waitFor(() => expect(api.calls(routes.list)).toHaveLength(2))
  })

  it('[API-12] [API-13] toggling a disabled route sends 1 and says enabled, also when answered 204', async () => {
    const { api, user } = await openRoutes()
    api.answer(routes.update, () => new Response(null, { status: 204 }))
    await user.click(button('Cancel an order', 'Toggle'))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Route enabled']))
    expect(api.calls(routes.update)).toMatchObject([{ path: '/api/admin/routes/9', body: { is_active: 1 } }])
  })

  it('a double click toggles once, and the row is busy until its list is fresh', async () => {
    const { api, user } = await openRoutes()
    const { promise, resolve } = Promise.withResolvers<Response>()
    api.answer(routes.update, () => promise)
    await user.dblClick(button('List the orders', 'Toggle'))
    await waitFor(() => expect(button('List the orders', 'Toggle')).toBeDisabled())
    expect(button('Place an order', 'Toggle')).toBeEnabled()
    resolve(Response.json({ success: true }))
    await waitFor(() => expect(button('List the orders', 'Toggle')).toBeEnabled())
    expect(api.calls(routes.update)).toHaveLength(1)
  })

  it('[API-14] [API-15] a test sends no body and tells the time as it was told', async () => {
    const { api, user } = await openRoutes()
    api.on(routes.test, { success: true, response_time: 41.5 })
    await user.click(button('Place an order', 'Test'))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Route test successful (41.5ms)']))
    expect(api.calls(routes.test)).toMatchObject([{ path: '/api/admin/routes/r-8/test', body: undefined }])
  })

  it('[API-27] with probes a test that may change something is sent only after a yes, and says so', async () => {
    const { api, user } = await openRoutes({ capabilities: ['probes'] })
    api.on(routes.test, { success: true, response_time: 3 })
    await screen.findByText('healthy')
    await user.click(button('Place an order', 'Test'))
    expect(await screen.findByText('Really send POST /api/orders?')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByText('Really send POST /api/orders?')).toBeNull())
    expect(api.calls(routes.test)).toEqual([])
    await user.click(button('Place an order', 'Test'))
    await user.click(await screen.findByRole('button', { name: 'Confirm' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Route test successful (3ms)']))
    expect(api.calls(routes.test)).toMatchObject([
      { path: '/api/admin/routes/r-8/test', body: { send: true } },
    ])
  })

  it('[API-27] with probes a GET is tested at once, without a word more', async () => {
    const { api, user } = await openRoutes({ capabilities: ['probes'] })
    api.on(routes.test, { success: true, response_time: 3 })
    await screen.findByText('healthy')
    await user.click(button('List the orders', 'Test'))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Route test successful (3ms)']))
    expect(api.calls(routes.test)).toMatchObject([{ path: '/api/admin/routes/7/test', body: undefined }])
  })

  it.each([
    [{ success: false, error: 'refused' }, 'Route test failed: refused'],
    [{ success: false }, 'Route test failed: Unknown error'],
    [{ success: false, error: '' }, 'Route test failed: Unknown error'],
    [{}, 'Route test failed: Unknown error'],
  ])('[API-16] a test answered with %j shows %s', async (reply, message) => {
    const { api, user } = await openRoutes()
    api.answer(routes.test, () => Response.json(reply))
    await user.click(button('List the orders', 'Test'))
    await waitFor(() => expect(toastsOfType('error')).toEqual([message]))
  })

  it('[API-18] [API-19] an edit starts from the row, sends the four fields and ends in view', async () => {
    const { api, user } = await openRoutes()
    api.on(routes.update, { success: true })
    await user.click(button('List the orders', 'Edit'))
    expect(screen.getByLabelText('Method')).toHaveValue('GET')
    expect(screen.getByLabelText('Description')).toHaveValue('List the orders')
    expect(screen.getByLabelText('Parameters')).toHaveValue('{"limit":5}')
    await user.selectOptions(screen.getByLabelText('Method'), 'PATCH')
    await user.clear(screen.getByLabelText('Path'))
    await user.type(screen.getByLabelText('Path'), '/api/all')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Route updated successfully']))
    expect(api.calls(routes.update)).toMatchObject([
      {
        path: '/api/admin/routes/7',
        body: {
          method: 'PATCH',
          path: '/api/all',
          description: 'List the orders',
          parameters: '{"limit":5}',
        },
      },
    ])
    expect(screen.queryByLabelText('Path')).not.toBeInTheDocument()
    expect(button('List the orders', 'Edit')).toHaveFocus()
    await waitFor(() => expect(api.calls(routes.list)).toHaveLength(2))
  })

  it('[API-18] a cancelled edit makes no call and gives the row back', async () => {
    const { api, user } = await openRoutes()
    await user.click(button('List the orders', 'Edit'))
    await user.type(screen.getByLabelText('Path'), '/more')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(button('List the orders', 'Edit')).toHaveFocus()
    expect(within(rowOf('List the orders')).getByText('/api/orders')).toBeVisible()
    expect(api.calls(routes.update)).toEqual([])
  })

  it('[API-20] the form opens with GET, empty path and description and {}, whatever it held before', async () => {
    const { user } = await openRoutes()
    await user.click(screen.getByRole('button', { name: 'Add Route' }))
    await user.selectOptions(screen.getByLabelText('Method'), 'DELETE')
    await user.type(screen.getByLabelText('Path'), '/x')
    await user.type(screen.getByLabelText('Description'), 'y')
    await user.type(screen.getByLabelText('Parameters'), 'z')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(screen.getByRole('button', { name: 'Add Route' })).toHaveFocus()
    await user.click(screen.getByRole('button', { name: 'Add Route' }))
    expect(screen.getByLabelText('Method')).toHaveValue('GET')
    expect(screen.getByLabelText('Path')).toHaveValue('')
    expect(screen.getByLabelText('Description')).toHaveValue('')
    expect(screen.getByLabelText('Parameters')).toHaveValue('{}')
    const offered = within(screen.getByLabelText('Method')).getAllByRole('option')
    expect(offered.map((option) => option.textContent)).toEqual(['GET', 'POST', 'PUT', 'DELETE', 'PATCH'])
  })

  it('[API-21] adding sends the form and the selected service, closes the form and loads the routes', async () => {
    const { api, user } = await openRoutes()
    api.on(routes.add, { success: true })
    await user.click(screen.getByRole('button', { name: 'Add Route' }))
    await user.type(screen.getByLabelText('Path'), '/api/new{Enter}')
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Route added successfully']))
    expect(api.calls(routes.add)).toMatchObject([
      { body: { method: 'GET', path: '/api/new', description: '', parameters: '{}', api_endpoint_id: 1 } },
    ])
    expect(screen.queryByLabelText('Path')).not.toBeInTheDocument()
    await waitFor(() => expect(api.calls(routes.list)).toHaveLength(2))
  })

  it('parameters that are no JSON are pointed out and sent as typed', async () => {
    const { api, user } = await openRoutes()
    api.on(routes.add, { success: true })
    await user.click(screen.getByRole('button', { name: 'Add Route' }))
    await user.clear(screen.getByLabelText('Parameters'))
    await user.type(screen.getByLabelText('Parameters'), 'limit=5')
    expect(screen.getByText('This is not JSON; it is sent as typed.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Add Route' }))
    await waitFor(() => expect(api.calls(routes.add)).toMatchObject([{ body: { parameters: 'limit=5' } }]))
  })

  it('[API-22] delete asks first, a no makes no call, a yes deletes', async () => {
    const { api, user } = await openRoutes()
    api.on(routes.remove, { success: true })
    await user.click(button('Place an order', 'Delete'))
    const question = await screen.findByRole('dialog')
    expect(question).toHaveTextContent('Are you sure you want to delete this route?')
    expect(within(question).getByText('POST /api/orders')).toBeVisible()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(api.calls(routes.remove)).toEqual([])
    await user.click(button('Place an order', 'Delete'))
    await user.click(await screen.findByRole('button', { name: 'Confirm' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Route deleted successfully']))
    expect(api.calls(routes.remove)).toMatchObject([{ path: '/api/admin/routes/r-8' }])
    await waitFor(() => expect(api.calls(routes.list)).toHaveLength(2))
  })
})

describe('route changes that do not succeed', () => {
  afterEach(forgetToasts)

  it.each([
    ['[API-13]', 'Toggle', routes.update, 'Failed to toggle route'],
    ['[API-17]', 'Test', routes.test, 'Failed to test route'],
    ['[API-19]', 'Save', routes.update, 'Failed to update route'],
    ['[API-19]', 'Add Route', routes.add, 'Failed to add route'],
    ['[API-19]', 'Delete', routes.remove, 'Failed to delete route'],
  ] as const)(
    '%s a failed %s shows its message once and keeps what was typed',
    async (_, act, call, message) => {
      const { api, user } = await openRoutes()
      api.fail(call, 500)
      await perform(user, act)
      await waitFor(() => expect(toastsOfType('error')).toEqual([message]))
      expect(api.calls(call)).toHaveLength(1)
      expect(screen.queryAllByLabelText('Path')).toHaveLength(act === 'Save' || act === 'Add Route' ? 1 : 0)
    },
  )

  it.each([
    ['Toggle', routes.update],
    ['Save', routes.update],
    ['Add Route', routes.add],
    ['Delete', routes.remove],
  ] as const)('[API-23] %s answered with success false shows no message at all', async (act, call) => {
    const { api, user } = await openRoutes()
    api.on(call, { success: false, error: 'no' })
    await perform(user, act)
    await waitFor(() => expect(api.calls(call)).toHaveLength(1))
    await waitFor(() => expect(screen.queryAllByRole('button', { busy: true })).toEqual([]))
    expect([...toastsOfType('success'), ...toastsOfType('error')]).toEqual([])
  })
})

interface Opened {
  listed?: (typeof listing | typeof placing | typeof closing)[]
  capabilities?: string[]
}

async function openRoutes({ listed = [listing, placing, closing], capabilities }: Opened = {}) {
  const api: FakeApi = createFakeApi()
  if (capabilities) api.on(service.capabilities, { capabilities })
  api.on(services.health, { health: [{ endpoint: '1', status: 'healthy' }] })
  api.on(services.list, { endpoints: [{ id: 1, name: 'Trading API', description: null, url: '' }] })
  api.on(routes.list, { routes: listed })
  const { user } = renderConsole('/admin/api-config?service=1')
  await screen.findByRole('region', { name: 'Routes' })
  if (listed.length > 0) await screen.findByText('Place an order')
  return { api, user }
}

type User = Awaited<ReturnType<typeof openRoutes>>['user']

async function perform(user: User, act: 'Toggle' | 'Test' | 'Save' | 'Add Route' | 'Delete'): Promise<void> {
  if (act === 'Add Route') await user.click(screen.getByRole('button', { name: 'Add Route' }))
  if (act === 'Save') await user.click(button('List the orders', 'Edit'))
  if (act === 'Save' || act === 'Add Route') return user.click(screen.getByRole('button', { name: act }))
  await user.click(button('List the orders', act))
  if (act === 'Delete') await user.click(await screen.findByRole('button', { name: 'Confirm' }))
}

function rowOf(description: string): HTMLElement {
  // A row is the list item around its description.
  return screen.getByText(description).closest('li') as HTMLElement
}

function button(description: string, name: string): HTMLElement {
  return within(rowOf(description)).getByRole('button', { name })
}

function badgesOf(description: string) {
  const row = within(rowOf(description))
  return { auth: row.queryByText('Auth') !== null, disabled: row.queryByText('Disabled') !== null }
}
