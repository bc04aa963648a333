import { expect, test } from '#fixtures.ts'
import { ComponentsPage } from '#pages/admin/components.ts'
import { expectSimulated, openFrozen } from '#simulated.ts'

const TYPES = {
  DataEngine: 'Engine',
  ExecutionEngine: 'Engine',
  RiskEngine: 'Engine',
  Portfolio: 'Component',
  Cache: 'Component',
  MessageBus: 'Component',
}

test('[COMP-1] [COMP-2] [CAP-7] [COMP-3] [COMP-4] six running components, whose simulated actions change nothing', async ({
  page,
  backend,
}) => {
  const components = new ComponentsPage(page)
  await openFrozen(components)
  await test.step('six running components with their actions', async () => {
    await expect(components.main.getByText('Simulated', { exact: true })).toBeVisible()
    for (const [name, type] of Object.entries(TYPES)) {
      await expect(components.entry(name).getByText(type, { exact: true })).toBeVisible()
      await expect(components.entry(name).getByText('running', { exact: true })).toBeVisible()
      await expect(components.entry(name).getByRole('button')).toHaveText(['Stop', 'Restart', 'Config'])
    }
    for (const name of ['Start All', 'Stop All', 'Restart All'])
      await expect(components.control(name)).toBeVisible()
  })
  await test.step('an action announces itself, succeeds after 1 s and changes nothing', async () => {
    for (const action of ['Stop', 'Restart', 'Config']) {
      const control = components.action('Cache', action)
      await expectSimulated(components, backend, { control, ms: 1_000, says: 'Cache', announced: true })
      await expect(components.entry('Cache').getByText('running', { exact: true })).toBeVisible()
    }
  })
  await test.step('the bulk actions too', async () => {
    for (const action of ['Start All', 'Stop All', 'Restart All']) {
      const control = components.control(action)
      await expectSimulated(components, backend, { control, ms: 1_000, says: /all/i, announced: true })
    }
    await expect(components.main.getByText('running', { exact: true })).toHaveCount(6)
  })
})
