import { expectNoViolations } from '#axe.ts'
import { aSetting } from '#backend/seed/admin-seed.ts'
import { expect, test } from '#fixtures.ts'
import { AdminDatabasePage } from '#pages/admin/admin-database.ts'
import { EDGE } from '#tier.ts'

const LISTS = ['GET /api/admin/settings', 'GET /api/admin/users', 'GET /api/admin/api-configs'] as const
const SAVE = 'PUT /api/admin/settings/:key'

test('[ADB-1] [ADB-2] [ADB-3] [ADB-5] [ADB-4] three lists, loaded again by Refresh; Cancel leaves a setting as it was', async ({
  page,
  backend,
}) => {
  const database = new AdminDatabasePage(page)
  await database.open()
  await test.step('settings by category, users and API configurations', async () => {
    await expect(database.toasts.ofType('success', 'Admin database loaded successfully!')).toBeVisible()
    await expect(database.card('general').getByRole('listitem')).toHaveCount(2)
    await expect(database.card('security').getByRole('listitem')).toHaveCount(1)
    await expect(database.setting('system_name')).toContainText('Binnacle')
    await expect(database.setting('system_name')).toContainText('Name shown to people')
    await expect(database.user('edsger').getByRole('cell')).toHaveText([
      'edsger',
      'edsger@example.com',
      'auditor',
      'Inactive',
    ])
    await expect(database.config('Legacy feed').getByRole('cell')).toHaveText([
      'Legacy feed',
      '/api/legacy',
      'Disabled',
    ])
  })
  await test.step('Cancel returns to the old value and makes no call', async () => {
    await database.edit('time zone', 'CET')
    await database.finish('time zone', 'Cancel')
    await expect(database.setting('time zone').getByText('UTC', { exact: true })).toBeVisible()
    expect(backend.count(SAVE)).toBe(0)
  })
  await test.step('Refresh loads the three lists again', async () => {
    await expect(database.setting('system_name')).toBeVisible()
    backend.state.settings.push(aSetting({ key: 'brand_new' }))
    await database.control('Refresh').click()
    await expect(database.setting('brand_new')).toBeVisible()
    expect(LISTS.map((call) => backend.count(call))).toEqual([2, 2, 2])
  })
  await test.step('Save sends the value', async () => {
    await database.edit('time zone', 'CET')
    await database.finish('time zone', 'Save')
    expect((await backend.called(SAVE)).query).toEqual({ value: 'CET' })
    await expect(database.setting('time zone').getByText('CET', { exact: true })).toBeVisible()
  })
  await test.step('a server that is gone leaves the lists where they are', async () => {
    await expect(database.setting('system_name')).toBeVisible()
    backend.goAway()
    await database.control('Refresh').click()
    await expect(database.toasts.ofType('error', 'Failed to load admin database')).toBeVisible()
    await expect(database.setting('system_name')).toContainText('Binnacle')
    await expect(database.user('ada')).toBeVisible()
  })
})

for (const { key, value, sent } of [
  { key: 'time zone', value: 'a b&c=d', sent: '/api/admin/settings/time%20zone?value=a%20b%26c%3Dd' },
  { key: 'session/timeout', value: '100%', sent: '/api/admin/settings/session%2Ftimeout?value=100%25' },
  { key: "banner 'text'", value: '', sent: "/api/admin/settings/banner%20'text'?value=" },
]) {
  test(`[ADB-6] [ADB-7] the key ${key} is saved as '${value}'`, EDGE, async ({ page, backend }) => {
    const database = new AdminDatabasePage(page)
    await database.open()
    await database.edit(key, value)
    await database.finish(key, 'Save')
    const call = await backend.called(SAVE)
    expect(call.path + call.search).toBe(sent)
    expect(call.query).toEqual({ value })
    expect(call.body).toBeUndefined()
    await expect(database.toasts.ofType('success', `Setting '${key}' updated!`)).toBeVisible()
    for (const list of LISTS) await backend.called(list, { times: 2 })
  })
}

for (const mode of ['fail', 'drop'] as const) {
  test(`[ADB-8] a save that fails names the key (${mode})`, EDGE, async ({ page, backend }) => {
    backend[mode](SAVE)
    const database = new AdminDatabasePage(page)
    await database.open()
    await database.edit("banner 'text'", 'new')
    await database.finish("banner 'text'", 'Save')
    await expect(database.toasts.ofType('error', "Failed to update setting 'banner 'text''")).toBeVisible()
    expect(backend.count(LISTS[0])).toBe(1)
  })
}

for (const list of LISTS) {
  test(`[ADB-3] a failed ${list} shows 'Failed to load admin database'`, EDGE, async ({ page, backend }) => {
    backend.fail(list, { status: 503 })
    const database = new AdminDatabasePage(page)
    await database.open()
    await expect(database.toasts.ofType('error', 'Failed to load admin database')).toBeVisible()
    await expect(database.toasts.saying('loaded successfully')).toHaveCount(0)
  })
}

test('[ADB-5] [SHELL-9] a setting is edited by keyboard alone, and axe finds nothing meanwhile', async ({
  page,
  backend,
}) => {
  const database = new AdminDatabasePage(page)
  await database.open()
  const edit = database.setting('time zone').getByRole('button', { name: 'Edit' })
  await edit.focus()
  await page.keyboard.press('Enter')
  await expect(database.setting('time zone').getByRole('textbox')).toBeFocused()
  await expectNoViolations(page)
  await page.keyboard.press('Escape')
  await expect(edit).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+A')
  await page.keyboard.type('CET')
  await page.keyboard.press('Enter')
  await expect(database.setting('time zone').getByText('CET', { exact: true })).toBeVisible()
  await expect(edit).toBeFocused()
  expect(backend.count(SAVE)).toBe(1)
})

test('[ADB-3] the lists read Loading until they arrive', EDGE, async ({ page, backend }) => {
  const release = backend.hold('GET /api/admin/*')
  const database = new AdminDatabasePage(page)
  await database.open()
  await expect(database.main.getByText(/^Loading/)).toBeVisible()
  release()
  await expect(database.setting('system_name')).toBeVisible()
})

test.describe('with nothing stored', () => {
  test.use({ seed: 'empty' })

  test('[ADB-3] empty lists are loaded successfully too', EDGE, async ({ page }) => {
    const database = new AdminDatabasePage(page)
    await database.open()
    await expect(database.toasts.ofType('success', 'Admin database loaded successfully!')).toBeVisible()
  })
})
