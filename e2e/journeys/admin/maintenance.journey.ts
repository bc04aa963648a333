import { expect, test } from '#fixtures.ts'
import { type MaintenanceCard, MaintenancePage } from '#pages/admin/maintenance.ts'
import { EDGE } from '#tier.ts'

const BACKUP = 'POST /api/database/backup'
const OPTIMIZE = 'POST /api/database/optimize'
const CLEAN = 'POST /api/database/clean'

interface Action {
  card: MaintenanceCard
  name: string
  call: typeof BACKUP | typeof OPTIMIZE | typeof CLEAN
  body: Record<string, string>
  failure: string
}

const ACTIONS: Action[] = [
  {
    card: 'PostgreSQL',
    name: 'Backup Database',
    call: BACKUP,
    body: { db_type: 'postgresql' },
    failure: 'Failed to backup PostgreSQL',
  },
  {
    card: 'PostgreSQL',
    name: 'Optimize Tables',
    call: OPTIMIZE,
    body: { db_type: 'postgresql' },
    failure: 'Failed to optimize PostgreSQL',
  },
  {
    card: 'Parquet',
    name: 'Export Catalog',
    call: BACKUP,
    body: { db_type: 'parquet' },
    failure: 'Failed to backup Parquet',
  },
  {
    card: 'Parquet',
    name: 'Clean Old Files',
    call: CLEAN,
    body: { cache_type: 'parquet' },
    failure: 'Failed to clean Parquet',
  },
  {
    card: 'Redis',
    name: 'Flush Cache',
    call: CLEAN,
    body: { cache_type: 'redis' },
    failure: 'Failed to clean Redis',
  },
  {
    card: 'Maintenance',
    name: 'Full Backup',
    call: BACKUP,
    body: { db_type: 'all' },
    failure: 'Failed to backup all databases',
  },
  {
    card: 'Maintenance',
    name: 'Optimize All',
    call: OPTIMIZE,
    body: { db_type: 'all' },
    failure: 'Failed to optimize all databases',
  },
]

test('[MAINT-1] [MAINT-3] [MAINT-4] [MAINT-5] [MAINT-6] [MAINT-8] each action makes its call and shows the reply; three only show a message', async ({
  page,
  backend,
}) => {
  const maintenance = new MaintenancePage(page)
  await maintenance.open()
  for (const { card, name, call, body } of ACTIONS) {
    await test.step(name, async () => {
      const message = `The server says: ${name} is done`
      backend.clearCalls()
      backend.reply(call, { body: { message } })
      await maintenance.action(card, name).click()
      expect((await backend.called(call)).body).toEqual(body)
      await expect(maintenance.toasts.ofType('success', message)).toBeVisible()
    })
  }
  await test.step('View Stats, Export Data and View Logs only show a message', async () => {
    backend.clearCalls()
    for (const [card, name, message] of [
      ['Redis', 'View Stats', 'Redis statistics are not available yet'],
      ['Maintenance', 'Export Data', 'Data export is not available yet'],
      ['Maintenance', 'View Logs', 'Maintenance logs are not available yet'],
    ] as const) {
      await maintenance.action(card, name).click()
      await expect(maintenance.toasts.ofType('info', message)).toBeVisible()
    }
    expect(backend.calls().filter(({ method }) => method !== 'GET')).toEqual([])
  })
})

for (const mode of ['fail', 'drop'] as const) {
  test(`[MAINT-7] [TOAST-8] each action names what failed (${mode})`, EDGE, async ({ page, backend }) => {
    const maintenance = new MaintenancePage(page)
    await maintenance.open()
    for (const { card, name, call, failure } of ACTIONS) {
      await test.step(name, async () => {
        backend[mode](call)
        await maintenance.action(card, name).click()
        await expect(maintenance.toasts.ofType('error', failure)).toBeVisible()
      })
    }
  })
}

test(
  '[MAINT-6] a backup shows its message when it is done, and not before',
  EDGE,
  async ({ page, backend }) => {
    const release = backend.hold(BACKUP)
    const maintenance = new MaintenancePage(page)
    await maintenance.open()
    await maintenance.action('PostgreSQL', 'Backup Database').click()
    await backend.called(BACKUP)
    await expect(maintenance.toasts.all).toHaveCount(0)
    release()
    await expect(maintenance.toasts.ofType('success', 'Backup of postgresql finished')).toBeVisible()
    expect(backend.count(BACKUP)).toBe(1)
  },
)
