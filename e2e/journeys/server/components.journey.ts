import { expectAccessible } from '#axe.ts'
import { ComponentsPage } from '#pages/admin/components.ts'
import { expect, test } from '#server-fixtures.ts'

test('[COMP-11] [COMP-12] [COMP-13] [COMP-14] Components shows figures, history and versions, and reverts one', async ({
  page,
}) => {
  const components = new ComponentsPage(page)
  const configOf = async () => {
    const { components: all } = await (await page.request.get('/api/nautilus/system-info')).json()
    return all.find(({ id }: { id: string }) => id === 'DataEngine').config
  }
  const before = await configOf()
  const configure = { component: 'DataEngine', config: { stale_after_s: 90 } }
  expect((await page.request.post('/api/component/configure', { data: configure })).ok()).toBe(true)
  await components.open()
  const figures = components.main.getByRole('table', { name: 'Throughput, queue and errors' })
  await expect(figures.getByText(/trades\/s$/)).toBeVisible()
  await expect(figures.getByText('Reads of lists are not counted.')).toBeVisible()
  const versions = components.main.getByRole('list', { name: 'Configuration versions' })
  await expect(versions.getByText('{"stale_after_s":90}')).toBeVisible()
  await test.step('accessible in both themes, at desk and phone width', () => expectAccessible(page))
  await versions
    .getByRole('button', { name: /^Revert to version/ })
    .first()
    .click()
  await expect.poll(configOf).toEqual(before)
})
