import { expect, test } from '#fixtures.ts'
import { SettingsPage } from '#pages/admin/settings.ts'
import { expectSimulated, openFrozen } from '#simulated.ts'

const SECTIONS = ['General', 'Notifications', 'Security', 'Performance'] as const

test('[SET-1] [SET-2] [SET-3] [SET-4] [SET-5] [SET-6] [SET-7] the sections, and simulated actions that accept any value', async ({
  page,
  backend,
}) => {
  const settings = new SettingsPage(page)
  await openFrozen(settings)
  await test.step('the sections with their fields and defaults', async () => {
    await expect(settings.field('General', 'System Name')).toBeEditable()
    const environments = settings.field('General', 'Environment').getByRole('option')
    await expect(environments).toHaveText(['Production', 'Staging', 'Development'])
    await expect(settings.field('Notifications', 'Email')).toBeChecked()
    await expect(settings.field('Notifications', 'Slack')).not.toBeChecked()
    await expect(settings.field('Notifications', 'SMS')).not.toBeChecked()
    await expect(settings.field('Security', /^Session Timeout.*minutes/)).toHaveValue('30')
    await expect(settings.field('Security', 'Two-Factor Auth')).toBeChecked()
    await expect(settings.field('Performance', 'Max Concurrent Requests')).toHaveValue('100')
    await expect(settings.field('Performance', /^Cache TTL.*seconds/)).toHaveValue('3600')
    for (const section of SECTIONS) {
      await expect(settings.action(section, 'Save')).toBeVisible()
      await expect(settings.action(section, 'Reset')).toBeVisible()
    }
  })
  await test.step('every action succeeds after 1 s and makes no call', async () => {
    for (const name of ['Export', 'Import', 'Save All', 'Reset All']) {
      await expectSimulated(settings, backend, { control: settings.control(name), ms: 1_000, says: /\S/ })
    }
    for (const name of ['Save', 'Reset'] as const) {
      const control = settings.action('Security', name)
      await expectSimulated(settings, backend, { control, ms: 1_000, says: 'Security' })
    }
  })
  await test.step('any value is accepted', async () => {
    await settings.field('Security', /^Session Timeout/).fill('-5')
    await settings.field('General', 'System Name').fill('')
    for (const section of ['Security', 'General'] as const) {
      const control = settings.action(section, 'Save')
      await expectSimulated(settings, backend, { control, ms: 1_000, says: section })
    }
  })
})
