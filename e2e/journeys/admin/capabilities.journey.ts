import { expectNoViolations } from '#axe.ts'
import { expect, test } from '#fixtures.ts'
import { AdaptersPage } from '#pages/admin/adapters.ts'
import { ComponentsPage } from '#pages/admin/components.ts'
import { FeaturesPage } from '#pages/admin/features.ts'
import { MonitoringPage } from '#pages/admin/monitoring.ts'
import { SettingsPage } from '#pages/admin/settings.ts'
import { EDGE } from '#tier.ts'

const ASK = 'GET /api/capabilities'
const WAITING = 'Waiting for the server'
const LIVE = ['components', 'features', 'services', 'adapters', 'monitoring', 'settings']

/** Every screen that is simulated or live, with a control of it. */
const SCREENS = [
  { Screen: ComponentsPage, control: 'Stop All' },
  { Screen: FeaturesPage, control: 'Enable All' },
  { Screen: AdaptersPage, control: 'Test All' },
  { Screen: MonitoringPage, control: 'View Metrics' },
  { Screen: SettingsPage, control: 'Save All' },
]

for (const { Screen, control } of SCREENS) {
  const name = Screen.name

  test(
    `[CAP-3] [CAP-4] [CAP-5] [SHELL-9] ${name} has no controls until the server answers`,
    // One provider decides for all of them.
    Screen === ComponentsPage ? {} : EDGE,
    async ({ page, backend }) => {
      const screen = new Screen(page)
      const expectNoControls = async (): Promise<void> => {
        await expect(screen.main.getByText(WAITING)).toBeVisible()
        await expect(screen.main.getByRole('button')).toHaveText(['Back'])
        await expect(screen.main.getByText('Simulated', { exact: true })).toHaveCount(0)
      }
      const release = backend.hold(ASK)
      backend.fail(ASK)
      await page.clock.install()
      await screen.open()
      await expectNoControls()
      await test.step('nor after status 500', async () => {
        release()
        await expect.poll(() => backend.calls(ASK)[0]?.status).toBe(500)
        await expectNoControls()
        await expectNoViolations(page)
      })
      await test.step('nor after a lost connection', async () => {
        backend.recover(ASK)
        backend.drop(ASK)
        await page.clock.fastForward(5_000)
        // The page's own time runs on, so that a slow machine asks more often before this.
        const isCut = () => backend.calls(ASK).some(({ status }) => status === 'cut')
        await expect.poll(isCut).toBe(true)
        await expectNoControls()
      })
      backend.recover(ASK)
      await page.clock.fastForward(5_000)
      await expect(screen.control(control)).toBeVisible()
      await expect(screen.main.getByText('Simulated', { exact: true })).toBeVisible()
      await expect(screen.main.getByText(WAITING)).toHaveCount(0)
    },
  )

  test(
    `[CAP-6] ${name} simulates nothing over a live server, also when it goes away`,
    EDGE,
    async ({ page, backend, watch }) => {
      // A live screen logs a load that fails.
      watch.allowErrors(/Failed to fetch|404/)
      backend.reply(ASK, { body: { version: '1.0.0', capabilities: LIVE } })
      backend.reply('GET /api/features', { body: { features: [] } })
      backend.reply('GET /api/services', { body: { services: [] } })
      backend.reply('GET /api/adapters', { body: { adapters: [] } })
      backend.reply('GET /api/admin/system-settings', { body: { version: 1, values: {} } })
      await page.clock.install()
      const screen = new Screen(page)
      await screen.open()
      await expect(screen.control(control)).toBeVisible()
      await expect(screen.main.getByText('Simulated', { exact: true })).toHaveCount(0)
      backend.goAway()
      await page.clock.fastForward(30_000)
      await expect(screen.shell.connection).toContainText('Connection lost')
      await expect(screen.control(control)).toBeVisible()
      await expect(screen.main.getByText('Simulated', { exact: true })).toHaveCount(0)
    },
  )
}

test(
  '[CAP-8] [CAP-15] a server with other capabilities disables the controls of each screen',
  EDGE,
  async ({ page, backend }) => {
    backend.reply(ASK, { body: { capabilities: ['problems'] } })
    for (const { Screen, control } of SCREENS) {
      const screen = new Screen(page)
      await screen.open()
      await expect(screen.control(control)).toBeDisabled()
      await expect(screen.main.getByText('Not offered by this engine')).toBeVisible()
      await expect(screen.main.getByRole('button', { disabled: false })).toHaveText(['Back'])
      await expect(screen.main.getByText('Simulated', { exact: true })).toHaveCount(0)
      await expectNoViolations(page)
    }
  },
)
