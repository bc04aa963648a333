import {
  type Backup,
  backups,
  type Connection,
  connections,
  type Job,
  jobs,
  service,
} from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { EVERY_ABILITY } from '#testkit/connections.ts'
import { createFakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'

const SENTENCE = 'Are you sure you want to restore this backup? Current data will be overwritten.'
const full = {
  id: 'b/1',
  backup_type: 'full',
  backup_size: 20_480,
  backup_path: '/backups/1.db',
  status: 'completed',
  created_at: '2026-03-01T08:30:00Z',
}
const partial = { ...full, id: 2, backup_type: 'partial', backup_size: 512, status: 'running' }

const JOB = {
  id: 31,
  kind: 'backup.1',
  title: 'Back up Ledger',
  state: 'running',
  progress: 0.62,
  message: 'Step 5 of 7: verify.',
  created_at: '2026-03-02T09:00:00Z',
} as const

describe('backups', () => {
  afterEach(clearToasts)

  test('[DB-40] the progress of a backup or restore is shown on the tab', async () => {
    await openWithJobs([JOB, { ...JOB, id: 32, kind: 'backup.2', title: 'Back up another' }])
    const bar = await screen.findByRole('progressbar', { name: 'Back up Ledger' })
    expect(bar).toHaveAttribute('value', '62')
    expect(screen.getByText('Step 5 of 7: verify.')).toBeVisible()
    expect(screen.queryByRole('progressbar', { name: 'Back up another' })).not.toBeInTheDocument()
  })

  test('[DB-41] failed and interrupted backups and restores are listed with their reason', async () => {
    const ended_at = '2026-03-02T09:01:00Z'
    await openWithJobs([
      { ...JOB, state: 'failed', error: 'The disk is full.', ended_at },
      {
        ...JOB,
        id: 33,
        kind: 'restore.1',
        title: 'Restore Ledger',
        state: 'interrupted',
        error: 'Shut down.',
        ended_at,
      },
      { ...JOB, id: 34, state: 'done', title: 'Back up once more', ended_at },
    ])
    expect(await screen.findByText('Back up Ledger: failed')).toBeVisible()
    expect(screen.getByText(/^2026-03-02 09:01:00 UTC: The disk is full\.$/)).toBeVisible()
    expect(screen.getByText('Restore Ledger: interrupted')).toBeVisible()
    expect(screen.queryByText(/once more/)).not.toBeInTheDocument()
  })

  test('[STORE-65] backups of removed connections are listed below, without Restore', async () => {
    const left = { ...full, id: 9, connection_name: 'Old desk', target: 'db.example:5432/desk' }
    await openBackups({ can: EVERY_ABILITY }, undefined, [left])
    const section = within(await screen.findByRole('region', { name: 'Backups of removed connections' }))
    for (const text of ['Old desk', 'db.example:5432/desk', '20 KB', '/backups/1.db'])
      expect(section.getByText(text)).toBeVisible()
    expect(section.queryByRole('button', { name: 'Restore' })).not.toBeInTheDocument()
  })

  test('[DB-19] [FMT-3] each backup shows type, size, status and time', async () => {
    await openBackups()
    const row = within(rowOf('full'))
    for (const text of ['20 KB', 'completed', '2026-03-01 08:30:00 UTC'])
      expect(row.getByText(text)).toBeVisible()
    expect(within(rowOf('partial')).getByText('512 B')).toBeVisible()
  })

  test('[DB-22] only a completed backup offers Restore', async () => {
    await openBackups()
    expect(within(rowOf('full')).getByRole('button', { name: 'Restore' })).toBeEnabled()
    expect(within(rowOf('partial')).queryByRole('button')).not.toBeInTheDocument()
  })

  test.each([
    [
      'a store of our own',
      { is_builtin: 1 as const },
      /own databases are restored while the server is stopped/,
    ],
    ['a Parquet folder', { type: 'parquet' }, /Parquet connections are read-only/],
    ['a read-only connection', {}, /Edit it and switch on Writable to restore a backup/],
  ])('[DB-26] Restore on %s is disabled and says why', async (_, about, reason) => {
    const { user } = await openBackups({ ...about, can: { ...EVERY_ABILITY, restore: false } })
    const restore = screen.getByRole('button', { name: 'Restore' })
    expect(restore).toBeDisabled()
    expect(restore).toHaveAccessibleDescription(reason)
    await user.click(restore)
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  test('[DB-26] a connection that can be restored shows no reason', async () => {
    await openBackups({ can: EVERY_ABILITY })
    expect(screen.getByRole('button', { name: 'Restore' })).toBeEnabled()
    expect(screen.getByRole('button', { name: 'Restore' })).not.toHaveAccessibleDescription()
  })

  test('[DB-20] [DB-21] a backup shows its start, then the size in KB, and reloads the list', async () => {
    const { api, user } = await openBackups()
    const { promise, resolve } = Promise.withResolvers<Response>()
    api.answer(backups.create, () => promise)
    await user.dblClick(screen.getByRole('button', { name: 'Create Backup' }))
    await waitFor(() => expect(toastsOfType('info')).toEqual(['Creating backup...']))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Create Backup' })).toBeDisabled())
    resolve(Response.json({ success: true, backup_size: 5_505_024 }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Backup created: 5376 KB']))
    expect(api.calls(backups.create)).toMatchObject([{ path: '/api/db/1/backup', body: undefined }])
    await waitFor(() => expect(api.calls(backups.list)).toHaveLength(2))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Create Backup' })).toBeEnabled())
  })

  test('[DB-23] [DB-24] Restore needs a confirmation; Cancel sends nothing', async () => {
    const { api, user } = await openBackups()
    api.on(backups.restore, { success: true })
    await user.click(screen.getByRole('button', { name: 'Restore' }))
    const question = await screen.findByRole('dialog')
    expect(question).toHaveTextContent(SENTENCE)
    expect(within(question).getByText('full · 20 KB · 2026-03-01 08:30:00 UTC')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(api.calls(backups.restore)).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Restore' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Restore' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Database restored successfully']))
    expect(api.calls(backups.restore)).toMatchObject([{ path: '/api/db/1/restore/b%2F1' }])
    await waitFor(() => expect(api.calls(backups.list)).toHaveLength(2))
  })

  test('[BACKUP-17] a restore over another database asks for its name and sends it', async () => {
    const { api, user } = await openBackups({}, [
      {
        ...full,
        connection_name: 'Old ledger',
        target: 'localhost:5432/old',
        confirm_target: 'localhost:5432/new',
      },
    ])
    api.on(backups.restore, { success: true })
    await user.click(screen.getByRole('button', { name: 'Restore' }))
    const question = await screen.findByRole('dialog')
    expect(question).toHaveTextContent(
      "This backup was made of localhost:5432/old (connection 'Old ledger').",
    )
    expect(question).toHaveTextContent('Restoring it here replaces all data of localhost:5432/new.')
    const restore = within(question).getByRole('button', { name: 'Restore' })
    await user.type(within(question).getByLabelText('Type the database to replace'), 'localhost:5432/ne')
    expect(restore).toBeDisabled()
    await user.type(within(question).getByLabelText('Type the database to replace'), 'w')
    await user.click(restore)
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Database restored successfully']))
    expect(api.calls(backups.restore)).toMatchObject([{ body: { confirm_target: 'localhost:5432/new' } }])
  })

  test('[DB-43] an edited connection offers no backup until its list was loaded again', async () => {
    const { api, user } = await openBackups({ can: EVERY_ABILITY })
    const { promise, resolve } = Promise.withResolvers<Response>()
    api.answer(backups.list, () => promise)
    api.on(connections.update, { id: 1, name: 'Orders ledger', type: 'sqlite' })
    await user.click(screen.getByRole('button', { name: 'Edit' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Connection' }))
    await user.type(dialog.getByLabelText('Connection String'), '-elsewhere')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Connection updated successfully']))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(screen.queryByRole('button', { name: 'Restore' })).not.toBeInTheDocument()
    resolve(Response.json({ backups: [{ ...full, confirm_target: 'ledger-elsewhere.sqlite' }] }))
    await user.click(await screen.findByRole('button', { name: 'Restore' }))
    expect(await screen.findByRole('dialog', { name: 'Restore over another database?' })).toBeVisible()
  })

  test('[DB-21] a failed backup says so', async () => {
    const { api, user } = await openBackups()
    api.fail(backups.create)
    await user.click(screen.getByRole('button', { name: 'Create Backup' }))
    await waitFor(() => expect(toastsOfType('error')).toEqual(['Failed to create backup']))
    expect(api.calls(backups.create)).toHaveLength(1)
  })

  test('[DB-24] a failed restore says so', async () => {
    const { api, user } = await openBackups()
    api.drop(backups.restore)
    await user.click(screen.getByRole('button', { name: 'Restore' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Restore' }))
    await waitFor(() => expect(toastsOfType('error')).toEqual(['Failed to restore backup']))
  })

  test('[DB-25] success false to a backup or a restore shows neither success nor failure', async () => {
    const { api, user } = await openBackups()
    api.on(backups.create, { success: false, error: 'no' })
    api.on(backups.restore, { success: false })
    await user.click(screen.getByRole('button', { name: 'Create Backup' }))
    await waitFor(() => expect(api.calls(backups.create)).toHaveLength(1))
    await user.click(screen.getByRole('button', { name: 'Restore' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Restore' }))
    await waitFor(() => expect(api.calls(backups.restore)).toHaveLength(1))
    await waitFor(() => expect(screen.queryAllByRole('button', { busy: true })).toEqual([]))
    expect([...toastsOfType('success'), ...toastsOfType('error')]).toEqual([])
  })

  test('[DB-13] a failed load of the backups says so and shows no empty text', async () => {
    const api = createApi()
    api.fail(backups.list)
    renderConsole('/admin/db-management?connection=1&tab=backups')
    await waitFor(() => expect(toastsOfType('error')).toEqual(['Failed to load backups']))
    expect(screen.queryByText('No backups yet')).not.toBeInTheDocument()
  })
})

function createApi(about: Partial<Connection> = {}, listed: Backup[] = [full, partial]) {
  const api = createFakeApi()
  api.on(connections.list, { connections: [{ id: 1, name: 'Orders ledger', type: 'sqlite', ...about }] })
  api.on(backups.list, { backups: listed })
  return api
}

async function openWithJobs(listed: Job[]) {
  const api = createApi()
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['jobs'] })
  api.on(jobs.list, { jobs: listed })
  renderConsole('/admin/db-management?connection=1&tab=backups')
  await screen.findByRole('table', { name: 'Backups' })
}

async function openBackups(about: Partial<Connection> = {}, listed?: Backup[], removed: Backup[] = []) {
  const api = createApi(about, listed)
  api.on(backups.removed, { backups: removed })
  const { user } = renderConsole('/admin/db-management?connection=1&tab=backups')
  await screen.findByRole('table', { name: 'Backups' })
  return { api, user }
}

function rowOf(type: string): HTMLElement {
  // A backup is the row around its type.
  return screen.getByText(type).closest('tr') as HTMLElement
}
