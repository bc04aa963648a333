import { readFile } from 'node:fs/promises'
import { expectAccessible, expectStateAccessible } from '#axe.ts'
import { AdminDatabasePage } from '#pages/admin/admin-database.ts'
import { ApiConfigurationPage } from '#pages/admin/api-configuration.ts'
import { expect, test } from '#server-fixtures.ts'
import { EDGE } from '#tier.ts'

const FEED = {
  method: 'PATCH',
  path: '/prices',
  description: 'Prices of the feed',
  parameters: '{"query":{}}',
}

test(
  '[ADB-1] [ADB-2] [ADB-7] the admin database of our server is shown, and a saved setting stays',
  EDGE,
  async ({ page }) => {
    const database = new AdminDatabasePage(page)
    await database.open()
    await expect(database.toasts.ofType('success', 'Admin database loaded successfully!')).toBeVisible()
    await expect(database.card('general').getByText('system_name', { exact: true })).toBeVisible()
    await database.openTab('Users')
    await expect(database.user('admin')).toContainText('Active')
    await database.openTab('API configurations')
    await expect(database.card('API Configurations')).toContainText('No API configurations')
    await database.openTab('Settings')
    await database.edit('system_name', 'Desk 7 & co?')
    await database.finish('system_name', 'Save')
    await expect(database.toasts.ofType('success', "Setting 'system_name' updated!")).toBeVisible()
    await page.reload()
    await expect(database.setting('system_name')).toContainText('Desk 7 & co?')
  },
)

test('[ADB-11] [ADB-12] [ADB-13] [ADB-15] [ADB-16] [ADB-17] [ADB-18] users, configurations and tasks are changed on the server, and the audit log has it', async ({
  page,
}) => {
  const database = new AdminDatabasePage(page)
  const stored = async (list: string) => (await page.request.get(`/api/admin/${list}`)).json()
  await database.open()

  await test.step('a user is added and deactivated', async () => {
    await database.openTab('Users')
    await database.main.getByRole('button', { name: 'Add user' }).click()
    await database.main.getByLabel('Username').fill('grace')
    await database.main.getByLabel('Email').fill('grace@example.com')
    await database.main.getByRole('button', { name: 'Create user' }).click()
    await database.main.getByRole('button', { name: 'Deactivate grace', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
    await expect(database.main.getByRole('button', { name: 'Activate grace', exact: true })).toBeVisible()
    const { users } = await stored('users')
    const grace = users.find(({ username }: { username: string }) => username === 'grace')
    expect(grace).toMatchObject({ role: 'viewer', is_active: 0 })
  })

  await test.step('the user is activated again, with another role', async () => {
    const grace = async () => {
      const { users } = await stored('users')
      return users.find(({ username }: { username: string }) => username === 'grace')
    }
    await database.main.getByRole('button', { name: 'Activate grace', exact: true }).click()
    await expect.poll(grace).toMatchObject({ is_active: 1 })
    await database.main.getByLabel('Role of grace').selectOption('trader')
    await expect.poll(grace).toMatchObject({ role: 'trader' })
  })

  await test.step('its records show what changed', async () => {
    await database.user('grace').getByRole('link', { name: 'Records' }).click()
    const records = database.main.getByRole('list', { name: 'Audit Log' })
    await expect(records).toContainText('users.deactivate')
    await expect(records).toContainText('is_active')
    await database.main.getByRole('button', { name: 'Verify' }).click()
    await expect(database.main.getByRole('alert')).toContainText('Intact:')
    await expectAccessible(page)
  })

  await test.step('the records are filtered and exported', async () => {
    const filter = database.main.getByRole('form', { name: 'Filter' })
    await filter.getByLabel('Action').fill('users.add')
    await filter.getByRole('button', { name: 'Apply' }).click()
    const records = database.main.getByRole('list', { name: 'Audit Log' })
    await expect(records.getByText('users.add').first()).toBeVisible()
    await expect(records.getByText('users.deactivate')).toHaveCount(0)
    for (const [name, file] of [
      ['Export CSV', /\.csv$/],
      ['Export JSON lines', /\.jsonl$/],
    ] as const) {
      const saved = page.waitForEvent('download')
      await database.main.getByRole('button', { name }).click()
      const download = await saved
      expect(download.suggestedFilename()).toMatch(file)
      const content = await readFile(await download.path(), 'utf8')
      expect(content).toContain('users.add')
      expect(content).not.toContain('users.deactivate')
    }
    await filter.getByRole('button', { name: 'Clear' }).click()
    await expect(records.getByText('users.deactivate').first()).toBeVisible()
  })

  await test.step('a setting is edited, and Cancel leaves it', async () => {
    await database.openTab('Settings')
    const value = async () => {
      const { settings } = await stored('settings')
      return settings.find(({ key }: { key: string }) => key === 'environment').value
    }
    const before = await value()
    await database.edit('environment', 'Staging')
    await database.finish('environment', 'Cancel')
    expect(await value()).toBe(before)
    for (const next of ['Staging', before]) {
      await database.edit('environment', next)
      await database.finish('environment', 'Save')
      await expect.poll(value).toBe(next)
    }
  })

  await test.step('a configuration is added and disabled', async () => {
    await database.openTab('API configurations')
    await database.main.getByRole('button', { name: 'Add configuration' }).click()
    await database.main.getByLabel('Name').fill('Journey feed')
    await database.main.getByLabel('Endpoint').fill('/feed')
    await database.main.getByRole('button', { name: 'Create configuration' }).click()
    const config = async () => {
      const { configs } = await stored('api-configs')
      return configs.find(({ name }: { name: string }) => name === 'Journey feed')
    }
    await expect.poll(config).toMatchObject({ endpoint: '/feed' })
    await database.main.getByRole('button', { name: 'Disable Journey feed' }).click()
    await expect(database.config('Journey feed')).toContainText('Disabled')
    await expect.poll(config).toMatchObject({ is_enabled: 0 })
    await database.main.getByRole('button', { name: 'Enable Journey feed' }).click()
    await expect(database.config('Journey feed')).toContainText('Enabled')
    await expect.poll(config).toMatchObject({ is_enabled: 1 })
    await database.main.getByRole('button', { name: 'Delete Journey feed' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(database.config('Journey feed')).toHaveCount(0)
    expect(await config()).toBeUndefined()
  })

  await test.step('a task is added, run and deleted', async () => {
    await database.openTab('Scheduled tasks')
    await database.main.getByRole('button', { name: 'Add task' }).click()
    const form = database.main.getByRole('form', { name: 'Add task' })
    await form.getByLabel('Name').fill('Journey probe')
    await form.getByLabel('Kind').selectOption('audit.verify')
    const task = async () => {
      const { tasks } = await stored('tasks')
      return tasks.find(({ name }: { name: string }) => name === 'Journey probe')
    }
    await form.getByRole('button', { name: 'Create task' }).click()
    await expect.poll(task).toMatchObject({ kind: 'audit.verify', last_run_at: null })
    await database.main.getByRole('button', { name: 'Run now Journey probe' }).click()
    await expect(database.toasts.ofType('success', "Task 'Journey probe' has run.")).toBeVisible()
    await expect.poll(async () => (await task()).last_run_at).not.toBeNull()
    await expectStateAccessible(page)
    await database.main.getByRole('button', { name: 'History Journey probe' }).click()
    const runs = page.getByRole('complementary', { name: 'Runs of Journey probe' })
    await expect(runs.getByRole('row')).toHaveCount(2)
    await page.keyboard.press('Escape')
    await expect(runs).toHaveCount(0)
    await database.main.getByRole('button', { name: 'Disable Journey probe' }).click()
    await expect.poll(task).toMatchObject({ is_enabled: 0 })
    await database.main.getByRole('button', { name: 'Enable Journey probe' }).click()
    await expect.poll(task).toMatchObject({ is_enabled: 1 })
    await database.main.getByRole('button', { name: 'Delete Journey probe' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(database.main.getByText('Journey probe')).toHaveCount(0)
    expect(await task()).toBeUndefined()
  })
})

test('[API-19] [API-24] [API-25] [API-27] [API-28] [API-36] [CALL-22] [CALL-31] routes of our server are switched off and on, added, edited, deleted and tested', async ({
  page,
  watch,
}) => {
  watch.allowErrors(/Failed to load resource.*(409|422)/)
  const api = new ApiConfigurationPage(page)
  await api.openWith('Trading API')

  await test.step('a call is switched off and on; one that must answer is not', async () => {
    const statusOf = async () => (await page.request.get('/api/instruments')).status()
    const before = await statusOf()
    await api.action('Tradable instruments', 'Toggle').click()
    await api.disableQuestion('GET', '/api/instruments').yes()
    await expect(api.toasts.ofType('success', 'Route disabled')).toBeVisible()
    await expect(api.route('Tradable instruments').getByText('Disabled', { exact: true })).toBeVisible()
    expect(await statusOf()).toBe(503)
    await api.action('Tradable instruments', 'Toggle').click()
    await expect(api.toasts.ofType('success', 'Route enabled')).toBeVisible()
    expect(await statusOf()).toBe(before)
    await expect(
      api.action('Cancel a pending order: 200 when it is cancelled, 202 until its venue confirms', 'Toggle'),
    ).toBeDisabled()
    await expect(
      api.main.getByText(/Built-in routes that must always work cannot be switched off/),
    ).toBeVisible()
  })

  await test.step('a route test that may change something is confirmed, sent and audited', async () => {
    await api.action('Halt trading, switch to reduce-only, or resume', 'Test').click()
    await api.sendQuestion('POST', '/api/trading-state').no()
    await api.action('Halt trading, switch to reduce-only, or resume', 'Test').click()
    await api.sendQuestion('POST', '/api/trading-state').yes()
    await api.ownServerQuestion('POST', '/api/trading-state').yes()
    await expect(api.toasts.ofType('error', 'Route test failed: HTTP 422')).toBeVisible()
    const { logs } = await (await page.request.get('/api/admin/audit-logs?limit=100')).json()
    const record = logs.find(({ action }: { action: string }) => action === 'routes.test')
    expect(record).toMatchObject({ action: 'routes.test', after: { sent: true, status: 422 } })
  })

  await test.step('a route is added, edited and deleted', async () => {
    await api.service('Database Management').getByRole('button').click()
    const routeOf = async () => {
      const { endpoints } = await (await page.request.get('/api/admin/endpoints')).json()
      const { id } = endpoints.find(({ name }: { name: string }) => name === 'Database Management')
      const { routes } = await (await page.request.get(`/api/admin/routes/by-endpoint/${id}`)).json()
      return routes.find(({ path }: { path: string }) => path === FEED.path)
    }
    await expect(api.routes).toContainText('/api/db/connections')
    await api.control('Add Route').click()
    await api.fill({ ...FEED, parameters: '{"query":' })
    await api.submit('Add Route')
    await expect(api.main.getByRole('textbox', { name: 'Parameters' })).toHaveAttribute(
      'aria-invalid',
      'true',
    )
    await api.fill(FEED)
    await api.submit('Add Route')
    await expect(api.toasts.ofType('success', 'Route added successfully')).toBeVisible()
    await expect(api.route(FEED.description)).toContainText('PATCH')
    await expect.poll(routeOf).toMatchObject({ method: 'PATCH' })
    await api.action(FEED.description, 'Edit').click()
    await api.fill({ ...FEED, method: 'GET', description: 'Quotes of the feed' })
    await api.submit('Save')
    await expect(api.toasts.ofType('success', 'Route updated successfully')).toBeVisible()
    await expect.poll(routeOf).toMatchObject({ description: 'Quotes of the feed' })
    await api.action('Quotes of the feed', 'Delete').click()
    await api.deleteQuestion.yes()
    await expect(api.toasts.ofType('success', 'Route deleted successfully')).toBeVisible()
    await expect(api.route('Quotes of the feed')).toHaveCount(0)
    expect(await routeOf()).toBeUndefined()
  })
})
