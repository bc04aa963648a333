import { aRoute } from '#backend/seed/admin-seed.ts'
import { freezeTime, tick, tickUntilShown } from '#clock.ts'
import { expect, test } from '#fixtures.ts'
import { ApiConfigurationPage } from '#pages/admin/api-configuration.ts'
import { EDGE } from '#tier.ts'

const CHANGE = 'PUT /api/admin/routes/:id'
const ADD = 'POST /api/admin/routes'
const DELETE = 'DELETE /api/admin/routes/:id'
const TEST = 'POST /api/admin/routes/:id/test'

const NEW_ROUTE = { method: 'PATCH', path: '/api/x', description: 'A new one', parameters: '{"a":1}' }

test(
  '[API-1] [API-2] [API-7] [API-8] [API-9] services with route count and health',
  EDGE,
  async ({ page, backend }) => {
    const api = new ApiConfigurationPage(page)
    await api.open()
    await expect(
      api.main.getByText('Select an API service to manage its routes', { exact: true }),
    ).toBeVisible()
    const trading = api.service('Trading API')
    await expect(trading).toContainText('Orders and positions')
    await expect(trading).toContainText(backend.origin)
    await expect(trading).toContainText('3 routes')
    await expect(trading.getByText('healthy', { exact: true })).toBeVisible()
    await expect(api.service('Pricing API').getByText('unhealthy', { exact: true })).toBeVisible()
    await expect(api.service('Pricing API')).toContainText('HTTP 503')
    await expect(api.service('Archive API').getByText('unhealthy', { exact: true })).toBeVisible()
    await expect(api.service('Archive API')).toContainText(/Failed to fetch|Connection failed/)
    expect(backend.count('GET /api/admin/routes/by-endpoint/:id')).toBe(3)
  },
)

test(
  '[API-7] [API-10] a probe is checking until it is answered, at most 5 s',
  EDGE,
  async ({ page, backend }) => {
    backend.hang('GET /api/health')
    const api = new ApiConfigurationPage(page)
    const trading = api.service('Trading API')
    const release = backend.hold('GET /api/admin/endpoints')
    await page.clock.install()
    await api.open()
    await freezeTime(page)
    // With the clock frozen before the probe starts, its 5 s pass only by ticks.
    release()
    await tickUntilShown(page, trading.getByText('checking', { exact: true }))
    await backend.called('GET /api/health')
    await tick(page, 4_000)
    await expect(trading.getByText('checking', { exact: true })).toBeVisible()
    await tick(page, 1_500)
    await tickUntilShown(page, trading.getByText('unhealthy', { exact: true }))
    await backend.abandoned('GET /api/health')
  },
)

test('[API-3] [API-4] [API-14] [API-15] [API-16] [API-12] [API-13] [API-22] [API-18] [API-19] routes are shown, tested, toggled, edited and deleted', async ({
  page,
  backend,
}) => {
  const api = new ApiConfigurationPage(page)
  await api.openWith('Trading API')
  await test.step('a selected service shows its routes and their badges', async () => {
    await expect(api.route('Place an order')).toContainText('POST')
    await expect(api.route('Place an order')).toContainText('/api/orders')
    await expect(api.route('Place an order').getByRole('button')).toHaveText([
      'Toggle',
      'Test',
      'Edit',
      'Delete',
    ])
    for (const [description, badges] of [
      ['List the orders', []],
      ['Place an order', ['Auth']],
      ['Cancel an order', ['Disabled']],
    ] as const) {
      for (const badge of ['Auth', 'Disabled'] as const) {
        const count = (badges as readonly string[]).includes(badge) ? 1 : 0
        await expect(api.route(description).getByText(badge, { exact: true })).toHaveCount(count)
      }
    }
  })
  await test.step('a test says how it went', async () => {
    await api.action('List the orders', 'Test').click()
    await expect(api.toasts.ofType('success', 'Route test successful (42ms)')).toBeVisible()
    expect([undefined, {}]).toContainEqual((await backend.called(TEST)).body)
    backend.reply(TEST, { body: { success: false, response_time: 3, error: 'no such host' } })
    await api.action('List the orders', 'Test').click()
    await expect(api.toasts.ofType('error', 'Route test failed: no such host')).toBeVisible()
    backend.reply(TEST, { body: { success: false } })
    await api.action('List the orders', 'Test').click()
    await expect(api.toasts.ofType('error', 'Route test failed: Unknown error')).toBeVisible()
  })
  await test.step('toggle flips is_active and says what the route has become', async () => {
    await api.action('List the orders', 'Toggle').click()
    expect((await backend.called('PUT /api/admin/routes/1')).body).toEqual({ is_active: 0 })
    await expect(api.toasts.ofType('success', 'Route disabled')).toBeVisible()
    await expect(api.route('List the orders').getByText('Disabled', { exact: true })).toBeVisible()
    await api.action('Cancel an order', 'Toggle').click()
    expect((await backend.called('PUT /api/admin/routes/3')).body).toEqual({ is_active: 1 })
    await expect(api.toasts.ofType('success', 'Route enabled')).toBeVisible()
  })
  await test.step('delete asks first: no makes no call, yes deletes', async () => {
    await api.action('Cancel an order', 'Delete').click()
    await api.deleteQuestion.no()
    expect(backend.count(DELETE)).toBe(0)
    await api.action('Cancel an order', 'Delete').click()
    await api.deleteQuestion.yes()
    await backend.called('DELETE /api/admin/routes/3')
    await expect(api.toasts.ofType('success', 'Route deleted successfully')).toBeVisible()
    await expect(api.route('Cancel an order')).toHaveCount(0)
  })
  await test.step('an edit is made in its row', async () => {
    await api.action('Place an order', 'Edit').click()
    await expect(api.form.getByLabel('Parameters')).toHaveValue('{"dry_run":"boolean"}')
    await api.fill(NEW_ROUTE)
    await api.submit('Save')
    expect((await backend.called('PUT /api/admin/routes/2')).body).toEqual(NEW_ROUTE)
    await expect(api.toasts.ofType('success', 'Route updated successfully')).toBeVisible()
    await expect(api.route('A new one')).toContainText('/api/x')
  })
  await test.step('Refresh reads the services again', async () => {
    const read = backend.count('GET /api/admin/endpoints')
    await api.control('Refresh').click()
    await backend.called('GET /api/admin/endpoints', { times: read + 1 })
  })
})

test('[API-2] a service without routes says so', EDGE, async ({ page }) => {
  const api = new ApiConfigurationPage(page)
  await api.openWith('Archive API')
  await expect(api.main.getByText('No routes configured for this API', { exact: true })).toBeVisible()
})

test(
  '[API-20] [API-21] the add form starts empty each time and sends the service',
  EDGE,
  async ({ page, backend }) => {
    const api = new ApiConfigurationPage(page)
    await api.openWith('Pricing API')
    await api.control('Add Route').click()
    await expect(api.form.getByLabel('Method').getByRole('option')).toHaveText([
      'GET',
      'POST',
      'PUT',
      'DELETE',
      'PATCH',
    ])
    await api.fill(NEW_ROUTE)
    await api.submit('Add Route')
    expect((await backend.called(ADD)).body).toEqual({ ...NEW_ROUTE, api_endpoint_id: 2 })
    await expect(api.toasts.ofType('success', 'Route added successfully')).toBeVisible()
    await expect(api.route('A new one')).toBeVisible()
    await expect(api.service('Pricing API')).toContainText('2 routes')
    await api.control('Add Route').click()
    await expect(api.form.getByLabel('Method')).toHaveValue('GET')
    await expect(api.form.getByLabel('Path')).toHaveValue('')
    await expect(api.form.getByLabel('Description')).toHaveValue('')
    await expect(api.form.getByLabel('Parameters')).toHaveValue('{}')
  },
)

for (const mode of ['fail', 'drop'] as const) {
  test(
    `[API-13] [API-17] [API-19] [API-30] each change that fails says so (${mode})`,
    mode === 'drop' ? EDGE : {},
    async ({ page, backend }) => {
      for (const pattern of [CHANGE, ADD, DELETE, TEST] as const) backend[mode](pattern)
      const api = new ApiConfigurationPage(page)
      await api.openWith('Trading API')
      await api.action('List the orders', 'Toggle').click()
      await expect(api.toasts.ofType('error', 'Failed to toggle route')).toBeVisible()
      await api.action('List the orders', 'Test').click()
      await expect(api.toasts.ofType('error', 'Failed to test route')).toBeVisible()
      await api.action('List the orders', 'Delete').click()
      await api.deleteQuestion.yes()
      await expect(api.toasts.ofType('error', 'Failed to delete route')).toBeVisible()
      await api.action('List the orders', 'Edit').click()
      await api.submit('Save')
      await expect(api.toasts.ofType('error', 'Failed to update route')).toBeVisible()
      await api.form.getByRole('button', { name: 'Cancel' }).click()
      await api.control('Add Route').click()
      await api.submit('Add Route')
      await expect(api.toasts.ofType('error', 'Failed to add route')).toBeVisible()
    },
  )
}

test('[API-23] success: false shows no message at all', EDGE, async ({ page, backend }) => {
  for (const pattern of [CHANGE, ADD, DELETE] as const) backend.reply(pattern, { body: { success: false } })
  const api = new ApiConfigurationPage(page)
  await api.openWith('Trading API')
  await api.action('List the orders', 'Toggle').click()
  await backend.called(CHANGE)
  await api.action('List the orders', 'Delete').click()
  await api.deleteQuestion.yes()
  await backend.called(DELETE)
  await api.control('Add Route').click()
  await api.submit('Add Route')
  await backend.called(ADD)
  await expect(api.form.getByRole('button', { name: 'Add Route' })).toBeEnabled()
  await expect(api.toasts.all).toHaveCount(0)
})

for (const mode of ['fail', 'drop'] as const) {
  test(
    `[API-5] [API-6] services that cannot be loaded say so, and Refresh tries again (${mode})`,
    EDGE,
    async ({ page, backend }) => {
      backend[mode]('GET /api/admin/endpoints')
      const api = new ApiConfigurationPage(page)
      await api.open()
      await expect(api.toasts.ofType('error', 'Failed to load API endpoints')).toBeVisible()
      backend.recover()
      await api.control('Refresh').click()
      await expect(api.service('Trading API')).toBeVisible()
    },
  )
}

test('[API-1] the services read Loading until they arrive', EDGE, async ({ page, backend }) => {
  const release = backend.hold('GET /api/admin/*')
  const api = new ApiConfigurationPage(page)
  await api.open()
  await expect(api.main.getByText(/^Loading/)).toBeVisible()
  release()
  await expect(api.service('Trading API')).toBeVisible()
})

test(
  '[CLIENT-4] [CLIENT-6] [CLIENT-7] bare arrays, ids as text, flags as booleans and 204 are understood',
  EDGE,
  async ({ page, backend }) => {
    backend.reply('GET /api/admin/endpoints', {
      body: [{ id: 'svc', name: 'Bare', description: '', url: backend.origin }],
    })
    backend.reply('GET /api/admin/routes/by-endpoint/svc', {
      body: [aRoute({ id: 'r/1', is_active: false, requires_auth: true })],
    })
    backend.reply(CHANGE, { status: 204 })
    const api = new ApiConfigurationPage(page)
    await api.openWith('Bare')
    await expect(api.route('List the orders').getByText('Auth', { exact: true })).toBeVisible()
    await expect(api.route('List the orders').getByText('Disabled', { exact: true })).toBeVisible()
    await api.action('List the orders', 'Toggle').click()
    expect((await backend.called('PUT /api/admin/routes/r%2F1')).body).toEqual({ is_active: 1 })
    await expect(api.toasts.ofType('success', 'Route enabled')).toBeVisible()
  },
)
