import { expectAccessible, expectStateAccessible } from '#axe.ts'
import { AdminDashboardPage } from '#pages/admin/admin-dashboard.ts'
import { ApiConfigurationPage } from '#pages/admin/api-configuration.ts'
import { expect, test } from '#server-fixtures.ts'

interface Health {
  endpoint: number
  status: string
  is_pending: boolean
  history: { error: string | null }[]
}

test('[API-37] [API-38] [API-39] [API-40] [API-41] the server probes its services, tries a route and tests all', async ({
  page,
  server,
}) => {
  const read = async (path: string) => (await page.request.get(`${server.origin}${path}`)).json()
  const added = await page.request.post(`${server.origin}/api/admin/endpoints`, {
    // The port of the discard service, where nothing listens.
    data: { name: 'Silent API', description: '', url: 'http://127.0.0.1:9' },
  })
  const { id } = await added.json()
  const probe = async (): Promise<Health> => {
    const { health } = await read('/api/admin/endpoints/health')
    return health.find((one: Health) => one.endpoint === id)
  }
  await test.step('pending before down, by the stored probes', async () => {
    for (let call = 0; call < 3; call++) {
      const { is_pending, history, status } = await probe()
      expect(history.length).toBeGreaterThan(call)
      expect(is_pending).toBe(history.length < 3)
      expect(status).toBe('unhealthy')
    }
  })
  const api = new ApiConfigurationPage(page)
  await test.step('bars and the share of time up on the screen', async () => {
    await api.open()
    await expect(api.service('Silent API').getByText('0.0% up')).toBeVisible()
    await expect(api.service('Silent API').getByText('unhealthy', { exact: true })).toBeVisible()
    await expect(api.service('Trading API').getByText(/^\d+\.\d% up$/)).toBeVisible()
    await expect(api.service('Trading API').getByRole('img', { name: /^The last \d+ probes?/ })).toBeVisible()
  })
  const [trading] = (await read('/api/admin/endpoints')).endpoints
  const routes = () => read(`/api/admin/routes/by-endpoint/${trading.id}`)
  const before = await routes()
  await test.step('a route is tried with values of the moment and not changed', async () => {
    await api.service('Trading API').getByRole('button').click()
    await page.getByRole('button', { name: 'Try it GET /api/orders/{id}', exact: true }).click()
    const drawer = page.getByRole('complementary', { name: 'Try GET /api/orders/{id}' })
    await drawer.getByLabel('Parameters').fill('{"path":{"id":"O-404"}}')
    await drawer.getByRole('button', { name: 'Send request' }).click()
    const response = drawer.getByRole('region', { name: 'Response' })
    await expect(response).toContainText('HTTP 404')
    await expect(response).toContainText('O-404')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    expect(await routes()).toEqual(before)
  })
  await test.step('Test all reports each route that only reads', async () => {
    // Of the service with the fewest routes.
    await api.service('Database Management').getByRole('button').click()
    await expect(api.routes).toContainText('/api/db/connections')
    await api.routes.getByRole('button', { name: 'Test all' }).click()
    const report = page.getByRole('dialog', { name: /^\d+ of \d+ routes answered OK$/ })
    await expect(report).toContainText('GET /api/db/connections')
    await expect(report).toContainText(/\d+ not tested: they may change something, or need values\./)
    await expectStateAccessible(page)
    expect(await routes()).toEqual(before)
  })
  await page.request.delete(`${server.origin}/api/admin/endpoints/${id}`)
})

test('[ADM-20] [ADM-21] the facts of the admin dashboard are those of the server', async ({
  page,
  server,
}) => {
  const read = async (path: string) => (await page.request.get(`${server.origin}${path}`)).json()
  await page.request.put(`${server.origin}/api/admin/settings/environment?value=Production`)
  const dashboard = new AdminDashboardPage(page)
  await dashboard.open()
  const fact = (card: string) => dashboard.main.getByRole('region', { name: card })
  const info = await read('/api/engine/info')
  await expect(fact('Engine')).toContainText('Live')
  await expect(fact('Engine')).toContainText(info.trader_id)
  const { components } = await read('/api/nautilus/system-info')
  await expect(fact('Engine')).toContainText(`${components.length} of ${components.length}`)
  await expect(fact('Listeners').getByText('healthy')).toHaveCount(3)
  await expect(fact('Listeners')).toContainText(new URL(server.origin).host)
  const { stores } = await read('/api/database/status')
  for (const { name } of stores) await expect(fact('Stores')).toContainText(name)
  await expect(fact('Stores')).toContainText(/\d+\.\d GB free/)
  const { logs } = await read('/api/admin/audit-logs?limit=1')
  const { action, entity, target, actor } = logs[0]
  await expect(fact('Last changes')).toContainText(`${action} · ${entity} ${target} · by ${actor}`)
  await test.step('Refresh reads the engine again', async () => {
    const strategy = { name: 'Journey fact', strategy_type: 'momentum' }
    const added = await page.request.post(`${server.origin}/api/strategies`, { data: strategy })
    const { strategies_count } = await read('/api/engine/info')
    const answered = page.waitForResponse(/\/api\/engine\/info$/)
    await dashboard.control('Refresh').click()
    expect((await (await answered).json()).strategies_count).toBe(strategies_count)
    await expect(fact('Engine').getByText(String(strategies_count), { exact: true })).toBeVisible()
    await page.request.delete(`${server.origin}/api/strategies/${(await added.json()).id}`)
  })
  await test.step('Test Notification shows its message and changes nothing', async () => {
    await dashboard.control('Test Notification').click()
    await expect(dashboard.toasts.ofType('info', 'This is a test notification')).toBeVisible()
  })
  await expectStateAccessible(page)
})
