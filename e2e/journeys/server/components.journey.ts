import type { Page } from '@playwright/test'
import { expectAccessible } from '#axe.ts'
import { ComponentsPage } from '#pages/admin/components.ts'
import { expect, test } from '#server-fixtures.ts'

interface Component {
  id: string
  status: string
  config: object
}

/** The components as the server has them. */
async function stored(page: Page): Promise<Component[]> {
  return (await (await page.request.get('/api/nautilus/system-info')).json()).components
}

async function find(page: Page, id: string): Promise<Component | undefined> {
  return (await stored(page)).find((component) => component.id === id)
}

async function confirm(page: Page, action: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('[COMP-10] [COMP-11] [COMP-12] [COMP-13] [COMP-14] [COMP-16] [COMP-17] every button of Components acts on the server', async ({
  page,
}) => {
  const components = new ComponentsPage(page)
  const history = async () => {
    const { components: details } = await (await page.request.get('/api/components')).json()
    const cache = details.find(({ id }: Component) => id === 'Cache')
    return cache.history.map(({ status }: Component) => status)
  }
  await components.open()
  const table = components.main.getByRole('table', { name: 'Engine components' })
  await expect(table.getByText(/trades\/s$/)).toBeVisible()
  await expect(table.getByText('reads are not counted')).toBeVisible()
  await expect(components.main.getByText('Simulated', { exact: true })).toHaveCount(0)

  await test.step('Config and Revert', async () => {
    const before = (await find(page, 'DataEngine'))?.config
    await components.action('DataEngine', 'Config').click()
    const text = page.getByRole('textbox', { name: 'Configuration as JSON' })
    await text.fill('{"stale_after_s":90}')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    const versions = components.main.getByRole('list', { name: 'Configuration versions' })
    await expect(versions.getByText('{"stale_after_s":90}').first()).toBeVisible()
    expect((await find(page, 'DataEngine'))?.config).toEqual({ stale_after_s: 90 })
    await test.step('accessible in both themes, at desk and phone width', () => expectAccessible(page))
    await versions
      .getByRole('button', { name: /^Revert to version/ })
      .first()
      .click()
    await expect.poll(async () => (await find(page, 'DataEngine'))?.config).toEqual(before)
  })

  await test.step('Stop, Start and Restart', async () => {
    const earlier = await history()
    const status = async () => (await find(page, 'Cache'))?.status
    await components.action('Cache', 'Stop').click()
    await expect(page.getByRole('dialog')).toContainText('No strategy, order or position is affected.')
    await confirm(page, 'Stop')
    await expect.poll(status).toBe('stopped')
    await expect(components.main.getByText('5 of 6 running')).toBeVisible()
    const flow = components.main.getByRole('region', { name: 'How work flows' })
    await expect(flow.getByRole('button', { name: 'Cache stopped' })).toBeVisible()
    await components.action('Cache', 'Start').click()
    await expect.poll(status).toBe('running')
    await components.action('Cache', 'Restart').click()
    await confirm(page, 'Restart')
    // The list has the latest 20.
    await expect.poll(history).toEqual(['running', 'stopped', 'running', 'stopped', ...earlier].slice(0, 20))
  })

  await test.step('Stop All, Start All and Restart All', async () => {
    const statuses = async () => [...new Set((await stored(page)).map(({ status }) => status))]
    await components.control('Stop All').click()
    await confirm(page, 'Stop')
    await expect(components.main.getByText('0 of 6 running')).toBeVisible()
    expect(await statuses()).toEqual(['stopped'])
    await components.control('Start All').click()
    await expect(components.main.getByText('6 of 6 running')).toBeVisible()
    expect(await statuses()).toEqual(['running'])
    const before = await history()
    await components.control('Restart All').click()
    await confirm(page, 'Restart')
    await expect.poll(history).toEqual(['running', 'stopped', ...before].slice(0, 20))
    await expect.poll(statuses).toEqual(['running'])
  })
})
