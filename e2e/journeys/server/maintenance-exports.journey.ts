import { expectAccessible, expectStateAccessible } from '#axe.ts'
import { MaintenancePage } from '#pages/admin/maintenance.ts'
import { expect, test } from '#server-fixtures.ts'

test('[MAINT-23] [MAINT-24] chosen stores are exported as a file of the server, and View Logs shows the job with its lines', async ({
  page,
  server,
}) => {
  const maintenance = new MaintenancePage(page)
  await maintenance.open()
  const readExports = async () => (await page.request.get(`${server.origin}/api/database/exports`)).json()
  const { stores } = await readExports()

  const drawer = page.getByRole('complementary', { name: 'Export Data' })
  await maintenance.action('Maintenance', 'Export Data').click()
  for (const { name } of stores) {
    if (name !== 'Binnacle admin') await drawer.getByRole('switch', { name, exact: true }).click()
  }
  await expectAccessible(page)
  await drawer.getByRole('button', { name: 'Export', exact: true }).click()
  await expect(maintenance.toasts.ofType('success', /^1 store exported: \d+ tables, /)).toBeVisible()
  const { files } = await readExports()
  const [{ name }] = files
  const saved = page.waitForEvent('download')
  await drawer.getByRole('button', { name: `Download ${name}` }).click()
  expect((await saved).suggestedFilename()).toBe(name)
  await drawer.getByRole('button', { name: 'Close' }).click()

  // Tasks of a schedule are jobs as well.
  const { jobs } = await (await page.request.get(`${server.origin}/api/admin/jobs?limit=100`)).json()
  expect(jobs).toContainEqual(
    expect.objectContaining({ kind: 'maintenance.export.data', state: 'done', title: 'Export 1 store' }),
  )
  await maintenance.action('Maintenance', 'View Logs').click()
  const logs = page.getByRole('complementary', { name: 'Maintenance Logs' })
  await logs
    .getByRole('button', { name: /^Export 1 store/ })
    .first()
    .click()
  await expect(logs.getByText(/Binnacle admin: \d+ tables\./).first()).toBeVisible()
  await expectStateAccessible(page)
})
