import {
  type AnyEndpoint,
  backups,
  jobs,
  maintenance,
  nautilusMaintenance,
  service,
  tasks,
} from '@binnacle/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'

const CARDS = {
  PostgreSQL: ['Backup Database', 'Optimize Tables'],
  Parquet: ['Export Catalog', 'Clean Old Files'],
  Redis: ['Flush Cache', 'View Stats'],
  Maintenance: ['Full Backup', 'Optimize All', 'Export Data', 'View Logs'],
}

const { backup, optimize, clean } = maintenance

interface Work {
  title: string
  button: string
  endpoint: AnyEndpoint
  body: Record<string, string>
  failure: string
  done: string
}

const WORK: Work[] = [
  {
    title: '[MAINT-3] Backup Database backs up postgresql',
    button: 'Backup Database',
    endpoint: backup,
    body: { db_type: 'postgresql' },
    failure: 'Failed to backup PostgreSQL',
    done: 'Backup of PostgreSQL finished',
  },
  {
    title: '[MAINT-3] Export Catalog backs up parquet',
    button: 'Export Catalog',
    endpoint: backup,
    body: { db_type: 'parquet' },
    failure: 'Failed to backup Parquet',
    done: 'Backup of Parquet finished',
  },
  {
    title: '[MAINT-3] Full Backup backs up all',
    button: 'Full Backup',
    endpoint: backup,
    body: { db_type: 'all' },
    failure: 'Failed to backup all databases',
    done: 'Backup of all databases finished',
  },
  {
    title: '[MAINT-4] Optimize Tables optimizes postgresql',
    button: 'Optimize Tables',
    endpoint: optimize,
    body: { db_type: 'postgresql' },
    failure: 'Failed to optimize PostgreSQL',
    done: 'Optimization of PostgreSQL finished',
  },
  {
    title: '[MAINT-4] Optimize All optimizes all',
    button: 'Optimize All',
    endpoint: optimize,
    body: { db_type: 'all' },
    failure: 'Failed to optimize all databases',
    done: 'Optimization of all databases finished',
  },
  {
    title: '[MAINT-5] Clean Old Files cleans parquet',
    button: 'Clean Old Files',
    endpoint: clean,
    body: { cache_type: 'parquet' },
    failure: 'Failed to clean Parquet',
    done: 'Cleaning of Parquet finished',
  },
  {
    title: '[MAINT-5] Flush Cache cleans redis',
    button: 'Flush Cache',
    endpoint: clean,
    body: { cache_type: 'redis' },
    failure: 'Failed to clean Redis',
    done: 'Cleaning of Redis finished',
  },
]

describe('database maintenance', () => {
  let api: FakeApi
  const changes = () => api.everyCall().filter(({ method }) => method !== 'GET')
  const open = async () => {
    const view = renderConsole('/admin/database')
    await screen.findByRole('button', { name: 'Backup Database' })
    return { ...view, press: (name: string) => view.user.click(screen.getByRole('button', { name })) }
  }

  beforeEach(() => {
    api = createFakeApi()
  })

  afterEach(clearToasts)

  test('[MAINT-1] three cards and a Maintenance area hold the buttons', async () => {
    await open()
    for (const [card, buttons] of Object.entries(CARDS)) {
      const shown = within(screen.getByRole('region', { name: card })).getAllByRole('button')
      expect(shown.map((button) => button.textContent)).toEqual(buttons)
    }
  })

  test('[MAINT-2] Back goes to /admin', async () => {
    const { press } = await open()
    await press('Back')
    await waitFor(() => expect(screen.getByTestId('current-path')).toHaveTextContent(/^\/admin$/))
  })

  test.each(WORK)('$title', async ({ button, endpoint, body }) => {
    const { press } = await open()
    await press(button)
    await waitFor(() => expect(changes()).toHaveLength(1))
    expect(api.calls(endpoint)[0]?.body).toEqual(body)
  })

  test.each(WORK)('[MAINT-6] $button shows the message of the server', async ({ button, endpoint }) => {
    api.answer(endpoint, () => Response.json({ message: `<b>${button}</b> is done` }))
    const { press } = await open()
    await press(button)
    await waitFor(() => expect(toastsOfType('success')).toEqual([`<b>${button}</b> is done`]))
    expect(toastsOfType('error')).toEqual([])
  })

  test.each(WORK)('[MAINT-6] $button reports success without a server message too', async (work) => {
    api.answer(work.endpoint, () => new Response(null, { status: 204 }))
    const { press } = await open()
    await press(work.button)
    await waitFor(() => expect(toastsOfType('success')).toEqual([work.done]))
  })

  test.each(WORK)('[MAINT-7] $button that fails says $failure', async ({ button, endpoint, failure }) => {
    api.fail(endpoint)
    const { press } = await open()
    await press(button)
    await waitFor(() => expect(toastsOfType('error')).toEqual([failure]))
    expect(toastsOfType('success')).toEqual([])
  })

  test.each([
    ['View Stats', 'Redis statistics are not available yet'],
    ['Export Data', 'Data export is not available yet'],
    ['View Logs', 'Maintenance logs are not available yet'],
  ])('[MAINT-8] %s only says: %s', async (button, message) => {
    const { press } = await open()
    await press(button)
    await waitFor(() => expect(toastsOfType('info')).toEqual([message]))
    expect(changes()).toEqual([])
  })

  test('[MAINT-3] a double click is one backup, and the other buttons stay enabled', async () => {
    let release = () => {}
    api.answer(
      backup,
      () =>
        new Promise((resolve) => {
          release = () => resolve(Response.json({ message: 'Backed up' }))
        }),
    )
    await open()
    const button = screen.getByRole('button', { name: 'Backup Database' })
    fireEvent.click(button)
    fireEvent.click(button)
    await waitFor(() => expect(button).toBeDisabled())
    expect(screen.getByRole('button', { name: 'Export Catalog' })).toBeEnabled()
    await waitFor(() => expect(api.calls(backup)).toHaveLength(1))
    release()
    await waitFor(() => expect(button).toBeEnabled())
    expect(api.calls(backup)).toHaveLength(1)
  })

  test('[MAINT-20] the progress of a job is shown on the card that started it', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['maintenance', 'jobs'] })
    const job = { state: 'running', progress: 0.5, created_at: '2026-03-02T09:00:00Z' } as const
    api.on(jobs.list, {
      jobs: [
        {
          ...job,
          id: 1,
          kind: 'maintenance.backup.all',
          title: 'Back up all databases',
          message: 'Step 2 of 7',
        },
        { ...job, id: 2, kind: 'task.audit.verify', title: 'Verify the audit log' },
      ],
    })
    await open()
    const card = within(screen.getByRole('region', { name: 'Maintenance' }))
    expect(await card.findByRole('progressbar', { name: 'Back up all databases' })).toHaveAttribute(
      'value',
      '50',
    )
    expect(screen.queryByRole('progressbar', { name: 'Verify the audit log' })).not.toBeInTheDocument()
  })

  test('[MAINT-57] the card of a store that is not set up says how to set one up', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['maintenance'] })
    const catalog = { kind: 'parquet', connection_id: 'binnacle-catalog', name: 'Market' } as const
    api.on(maintenance.status, { stores: [{ ...catalog, target: '/data/catalog', size: 2048 }] })
    await open()
    const card = within(screen.getByRole('region', { name: 'Redis' }))
    expect(await card.findByText(/^None is set up\. Set BINNACLE_REDIS_URL/)).toBeVisible()
    const parquet = within(screen.getByRole('region', { name: 'Parquet' }))
    expect(parquet.queryByText(/is missing from the data folder/)).toBeNull()
  })

  test('[MAINT-21] [MAINT-22] a card names its store, and PostgreSQL lists its backups to restore', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['maintenance'] })
    const store = { kind: 'postgresql', connection_id: 'configured-postgresql', name: 'PostgreSQL' } as const
    const stored = { target: 'db.example:5432/desk', size: 2048, last_backup: '2026-03-02T09:00:00Z' }
    api.on(maintenance.status, { stores: [{ ...store, ...stored }] })
    const backup_ = { id: 7, backup_type: 'full', backup_size: 1024, status: 'completed' }
    api.on(backups.list, { backups: [{ ...backup_, created_at: '2026-03-02T09:00:00Z' }] })
    api.on(backups.restore, { success: true })
    const { user } = await open()
    const card = within(screen.getByRole('region', { name: 'PostgreSQL' }))
    expect(await card.findByText('PostgreSQL (db.example:5432/desk)')).toBeVisible()
    for (const text of ['2 KB', '2026-03-02 09:00:00 UTC', 'Never'])
      expect(card.getByText(text)).toBeVisible()
    expect(card.queryByText(/^None is set up\./)).toBeNull()
    await user.click(await card.findByRole('button', { name: 'Restore backup 7' }))
    const question = within(await screen.findByRole('dialog', { name: /^Are you sure you want to restore/ }))
    expect(
      question.getByText(/^Replaces all data of db\.example:5432\/desk with the backup of/),
    ).toBeVisible()
    expect(api.calls(backups.restore)).toEqual([])
    await user.click(question.getByRole('button', { name: 'Restore' }))
    await waitFor(() =>
      expect(api.calls(backups.restore).map(({ path }) => path)).toEqual([
        '/api/db/configured-postgresql/restore/7',
      ]),
    )
  })

  test('[MAINT-43] a backup from the card is in its list at once', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['maintenance'] })
    const store = { kind: 'postgresql', connection_id: 'configured-postgresql', name: 'PostgreSQL' } as const
    api.on(maintenance.status, { stores: [{ ...store, target: 'db.example:5432/desk', size: 2048 }] })
    const row = { id: 8, backup_type: 'full', backup_size: 1024, status: 'completed' }
    const created = { ...row, created_at: '2026-03-02T09:00:00Z' }
    api.on(backups.list, () => ({ backups: api.calls(backup).length > 0 ? [created] : [] }))
    api.on(backup, { message: 'PostgreSQL backed up' })
    const { user } = await open()
    const card = within(screen.getByRole('region', { name: 'PostgreSQL' }))
    expect(await card.findByText('PostgreSQL (db.example:5432/desk)')).toBeVisible()
    await waitFor(() => expect(api.calls(backups.list)).toHaveLength(1))
    expect(card.queryByRole('button', { name: /^Restore/ })).not.toBeInTheDocument()
    await user.click(card.getByRole('button', { name: 'Backup Database' }))
    expect(await card.findByRole('button', { name: 'Restore backup 8' })).toBeVisible()
  })

  describe('on a backend with the maintenance capability', () => {
    beforeEach(() => api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['maintenance'] }))

    test('[MAINT-13] a clean first shows what would be deleted and runs only after a confirmation', async () => {
      api.answer(clean, ({ body }) =>
        Response.json({ message: isDry(body) ? 'Deletes 2 files (3 KB)' : 'Deleted 2 files (3 KB)' }),
      )
      const { press, user } = await open()
      await waitFor(() => expect(api.calls(service.capabilities)).toHaveLength(1))
      await press('Clean Old Files')
      const question = await screen.findByRole('dialog')
      expect(question).toHaveTextContent('Clean now?')
      expect(question).toHaveTextContent('Deletes 2 files (3 KB)')
      expect(api.calls(clean).map(({ body }) => body)).toEqual([{ cache_type: 'parquet', dry_run: true }])
      await user.click(within(question).getByRole('button', { name: 'Clean' }))
      await waitFor(() => expect(toastsOfType('success')).toEqual(['Deleted 2 files (3 KB)']))
      expect(api.calls(clean)[1]?.body).toEqual({ cache_type: 'parquet' })
    })

    test('[MAINT-7] [CLIENT-17] a failed preview of a clean reports the failure', async () => {
      api.fail(clean)
      const { press } = await open()
      await waitFor(() => expect(api.calls(service.capabilities)).toHaveLength(1))
      await press('Flush Cache')
      await waitFor(() =>
        expect(toastsOfType('error')).toEqual(['Failed to clean RedisNo answer. Nothing was changed.']),
      )
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    })

    test.each([
      ['Optimize Tables', 'Optimize PostgreSQL?', 'postgresql'],
      ['Optimize All', 'Optimize all databases?', 'all'],
    ])('[MAINT-19] %s runs only after a confirmation', async (button, name, store) => {
      api.on(maintenance.optimize, { message: 'Optimized' })
      const { press, user } = await open()
      await waitFor(() => expect(api.calls(service.capabilities)).toHaveLength(1))
      await press(button)
      const question = await screen.findByRole('dialog', { name })
      expect(api.calls(maintenance.optimize)).toEqual([])
      await user.click(within(question).getByRole('button', { name: 'Cancel' }))
      expect(api.calls(maintenance.optimize)).toEqual([])
      await press(button)
      await user.click(
        within(await screen.findByRole('dialog', { name })).getByRole('button', { name: 'Optimize' }),
      )
      await waitFor(() =>
        expect(api.calls(maintenance.optimize).map(({ body }) => body)).toEqual([{ db_type: store }]),
      )
    })

    test.each([
      ['done', 'admin, journal are intact.', 'intact'],
      ['failed', "The setting 'cache_ttl' differs from its last audit record.", 'check failed'],
    ] as const)('[ADM-19] the last check of the own stores was %s', async (state, message, word) => {
      const task = { id: 1, name: 'Check', kind: 'stores.check', schedule: '0 3 * * *', time_zone: 'UTC' }
      api.on(tasks.list, { tasks: [{ ...task, is_enabled: 1, next_run_at: '2026-03-03T03:00:00Z' }] })
      const run = { id: 4, task_id: 1, state, message, ended_at: '2026-03-02T03:00:04Z' }
      api.on(tasks.history, { runs: [{ id: 5, task_id: 1, state: 'skipped' }, run] })
      await open()
      const card = within(screen.getByRole('region', { name: 'Maintenance' }))
      expect(await card.findByText(word)).toBeVisible()
      expect(card.getByText(/2026-03-02 03:00:04 UTC/)).toBeVisible()
      expect(card.getByText('2026-03-03 03:00:00 UTC')).toBeVisible()
      expect(card.queryAllByText(message)).toHaveLength(state === 'failed' ? 1 : 0)
    })

    test('[MAINT-24] View Logs opens the jobs that worked on stores, with their log lines', async () => {
      api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['maintenance', 'jobs'] })
      const job = { id: 7, kind: 'maintenance.backup.all', title: 'Back up all databases', progress: 1 }
      const ended = { ...job, state: 'done' as const, created_at: '2026-03-02T09:00:00Z' }
      api.on(jobs.list, { jobs: [ended, { ...ended, id: 8, kind: 'data-set.import', title: 'Import' }] })
      api.on(jobs.get, {
        ...ended,
        message: '3 stores backed up',
        log: [{ at: '2026-03-02T09:00:01Z', text: 'Ledger: backup 7, 12 bytes.' }],
      })
      const { press } = await open()
      await waitFor(() => expect(api.calls(service.capabilities)).toHaveLength(1))
      await press('View Logs')
      const drawer = within(await screen.findByRole('complementary', { name: 'Maintenance Logs' }))
      const entry = await drawer.findByText('Back up all databases')
      expect(drawer.queryByText('Import')).toBeNull()
      fireEvent.click(entry)
      expect(await drawer.findByText('09:00:01 Ledger: backup 7, 12 bytes.')).toBeVisible()
    })

    test('[MAINT-23] Export Data exports the chosen stores and offers the files', async () => {
      api.on(maintenance.exports, {
        stores: [
          { id: 'binnacle-admin', name: 'Binnacle admin', type: 'sqlite' },
          { id: '4', name: 'Ledger', type: 'sqlite' },
        ],
        files: [{ name: 'binnacle-data-1.tar.gz', size: 2048, created_at: '2026-03-02T09:00:00Z' }],
      })
      api.on(maintenance.exportData, { message: '1 store exported', file: 'binnacle-data-2.tar.gz' })
      const { press, user } = await open()
      await waitFor(() => expect(api.calls(service.capabilities)).toHaveLength(1))
      await press('Export Data')
      const drawer = within(await screen.findByRole('complementary', { name: 'Export Data' }))
      await user.click(await drawer.findByRole('switch', { name: 'Binnacle admin' }))
      await user.selectOptions(drawer.getByRole('combobox', { name: 'Format' }), 'JSON lines')
      await user.click(drawer.getByRole('button', { name: 'Export' }))
      await waitFor(() => expect(toastsOfType('success')).toEqual(['1 store exported']))
      expect(api.calls(maintenance.exportData)[0]?.body).toEqual({ stores: ['4'], format: 'jsonl' })
      expect(drawer.getByText('2026-03-02 09:00:00 UTC')).toBeVisible()
      api.answer(maintenance.exportFile, () => new Response('x'))
      vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }))
      await user.click(drawer.getByRole('button', { name: 'Download binnacle-data-1.tar.gz' }))
      await waitFor(() => expect(api.calls(maintenance.exportFile)).toHaveLength(1))
    })

    test('[MAINT-14] View Stats shows Redis statistics', async () => {
      const figures = { redis_version: '7.0.15', keys: 3, used_memory_human: '1.20M', connected_clients: 2 }
      api.on(nautilusMaintenance.redisStats, figures)
      const { press } = await open()
      await waitFor(() => expect(api.calls(service.capabilities)).toHaveLength(1))
      await press('View Stats')
      await waitFor(() =>
        expect(toastsOfType('info')).toEqual(['Redis 7.0.15: 3 keys, 1.20M in memory, 2 clients']),
      )
    })
  })
})

function isDry(body: unknown): boolean {
  return Object(body).dry_run === true
}
