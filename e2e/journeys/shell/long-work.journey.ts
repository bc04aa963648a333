import { expectNoSidewaysScroll, expectNoViolations } from '#axe.ts'
import { expect, test } from '#fixtures.ts'
import { MaintenancePage } from '#pages/admin/maintenance.ts'
import { rememberTheme } from '#pages/theme.ts'

const PHONE = { width: 390, height: 844 }
const JOB = 'GET /api/admin/jobs/7'

const RUNNING = {
  id: 7,
  kind: 'maintenance.backup',
  title: 'Back up PostgreSQL',
  state: 'running',
  progress: 0.42,
  created_at: '2026-11-15T05:00:00Z',
  log: [],
}

for (const theme of ['light', 'dark'] as const) {
  test(`[CAP-11] [SHELL-8] [SHELL-9] long work is shown and told at its end, in ${theme}`, async ({
    page,
    backend,
  }) => {
    await rememberTheme(page, theme)
    backend.reply('POST /api/database/backup', { status: 202, body: { job_id: 7 } })
    backend.reply(JOB, { body: RUNNING })
    const maintenance = new MaintenancePage(page)
    await maintenance.open()
    await maintenance.action('PostgreSQL', 'Backup Database').click()
    await expect(page.getByRole('progressbar', { name: 'Back up PostgreSQL' })).toBeVisible()
    await expect(page.getByText('42%')).toBeVisible()
    await expectNoViolations(page)
    await page.setViewportSize(PHONE)
    await expectNoSidewaysScroll(page)
    await expectNoViolations(page)
    backend.recover(JOB)
    backend.reply(JOB, {
      body: { ...RUNNING, state: 'done', result: { message: 'PostgreSQL is backed up' } },
    })
    await expect(maintenance.toasts.ofType('success', 'PostgreSQL is backed up')).toBeVisible()
    await expect(page.getByRole('progressbar')).toHaveCount(0)
  })
}
