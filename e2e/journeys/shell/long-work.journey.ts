import { expectAccessible } from '#axe.ts'
import { expect, test } from '#fixtures.ts'
import { MaintenancePage } from '#pages/admin/maintenance.ts'

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

test('[CAP-11] [SHELL-8] [SHELL-9] long work shows its progress and announces its end', async ({
  page,
  backend,
}) => {
  backend.reply('POST /api/database/backup', { status: 202, body: { job_id: 7 } })
  backend.reply(JOB, { body: RUNNING })
  const maintenance = new MaintenancePage(page)
  await maintenance.open()
  await maintenance.action('PostgreSQL', 'Backup Database').click()
  await expect(page.getByRole('progressbar', { name: 'Back up PostgreSQL' })).toBeVisible()
  await expect(page.getByText('42%')).toBeVisible()
  await expectAccessible(page)
  backend.recover(JOB)
  backend.reply(JOB, {
    body: { ...RUNNING, state: 'done', result: { message: 'PostgreSQL is backed up' } },
  })
  await expect(maintenance.toasts.ofType('success', 'PostgreSQL is backed up')).toBeVisible()
  await expect(page.getByRole('progressbar')).toHaveCount(0)
})
