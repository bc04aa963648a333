import { backups, connections, type JobDetail, jobs, maintenance, service } from '@binnacle/contract'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { fakeRunningClock } from '#testkit/polling.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { advanceTime } from '#testkit/time.ts'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'

const JOB: JobDetail = {
  id: 7,
  kind: 'database.backup',
  title: 'Back up PostgreSQL',
  state: 'running',
  progress: 0.4,
  created_at: '2026-11-15T05:00:00Z',
  log: [],
}

let api: FakeApi
let job: JobDetail

beforeEach(() => {
  api = createFakeApi()
  job = JOB
  api.answer(maintenance.backup, () =>
    Response.json({ job_id: 7, message: "'Back up PostgreSQL' continues as job 7." }, { status: 202 }),
  )
  api.answer(jobs.get, () => Response.json(job))
  fakeRunningClock()
})

afterEach(clearToasts)

describe('running jobs', () => {
  test('[CAP-11] [CAP-13] show their progress, then the message of the call', async () => {
    await beginBackup()
    const bar = await screen.findByRole('progressbar', { name: 'Back up PostgreSQL' })
    expect(bar).toHaveAttribute('value', '40')
    expect(screen.getByText('40%')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Backup Database' })).toBeDisabled()
    job = { ...JOB, progress: 0.755 }
    await advanceTime(1000)
    expect(await screen.findByText('75%')).toBeVisible()
    expect(toastsOfType('success')).toEqual([])
    job = { ...JOB, state: 'done', progress: 1, result: { message: 'PostgreSQL is backed up' } }
    await advanceTime(1000)
    await waitFor(() => expect(toastsOfType('success')).toEqual(['PostgreSQL is backed up']))
    expect(screen.queryByRole('progressbar')).toBeNull()
    expect(screen.getByRole('button', { name: 'Backup Database' })).toBeEnabled()
  })

  test('[CAP-11] are followed to their end on another screen', async () => {
    const { user } = await beginBackup()
    await screen.findByRole('progressbar')
    await user.click(screen.getByRole('button', { name: 'Back' }))
    expect(await screen.findByRole('heading', { name: 'Binnacle Admin Panel' })).toBeVisible()
    expect(screen.getByRole('progressbar', { name: 'Back up PostgreSQL' })).toBeVisible()
    job = { ...JOB, state: 'done', result: { message: 'PostgreSQL is backed up' } }
    await advanceTime(1000)
    await waitFor(() => expect(toastsOfType('success')).toContain('PostgreSQL is backed up'))
  })

  test.each(['failed', 'interrupted'] as const)(
    '[CAP-11] [CAP-13] that %s is the failure of the call',
    async (state) => {
      await beginBackup()
      await screen.findByRole('progressbar')
      job = { ...JOB, state, error: 'The disk is full.' }
      await advanceTime(1000)
      await waitFor(() =>
        expect(toastsOfType('error')).toEqual(['Failed to backup PostgreSQLThe disk is full.']),
      )
      expect(screen.queryByRole('progressbar')).toBeNull()
    },
  )

  test('[CAP-11] [CAP-12] can be cancelled once', async () => {
    api.on(jobs.cancel, { ...JOB, is_cancelling: true })
    const { user } = await beginBackup()
    const cancel = await screen.findByRole('button', { name: 'Cancel Back up PostgreSQL' })
    job = { ...JOB, is_cancelling: true }
    await user.click(cancel)
    expect(await screen.findByText('Stopping…')).toBeVisible()
    expect(cancel).toBeDisabled()
    expect(api.calls(jobs.cancel).map(({ path }) => path)).toEqual(['/api/admin/jobs/7/cancel'])
    job = { ...JOB, state: 'cancelled', error: 'The work was cancelled.' }
    await advanceTime(1000)
    await waitFor(() =>
      expect(toastsOfType('error')).toEqual(['Failed to backup PostgreSQLThe work was cancelled.']),
    )
  })

  test('[CAP-11] are polled again when the server does not answer for a while', async () => {
    await beginBackup()
    await screen.findByRole('progressbar')
    api.drop(jobs.get)
    await advanceTime(3000)
    expect(toastsOfType('error')).toEqual([])
    expect(screen.getByText('40%')).toBeVisible()
    api.answer(jobs.get, () =>
      Response.json({ ...JOB, state: 'done', result: { message: 'Done after all' } }),
    )
    await advanceTime(1000)
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Done after all']))
  })

  test('[CAP-11] [CAP-14] count as done on a backend without jobs', async () => {
    api.fail(jobs.get, 404, 'Not Found')
    await beginBackup()
    await waitFor(() => expect(toastsOfType('success')).toEqual(["'Back up PostgreSQL' continues as job 7."]))
    expect(screen.queryByRole('progressbar')).toBeNull()
  })

  test.each([
    ['its reply has an unexpected shape', () => api.answer(jobs.get, () => Response.json({ id: 7 }))],
    ['the session has ended', () => api.fail(jobs.get, 401, 'Unauthorized')],
    ['the person may not read it any more', () => api.fail(jobs.get, 403, 'Forbidden')],
    ['it was known before and is not any more', () => api.fail(jobs.get, 404, 'Not Found')],
  ])('[CAP-400] are followed no longer when %s, and the outcome is unknown', async (_, lose) => {
    api.on(service.capabilities, { capabilities: ['jobs'] })
    await beginBackup()
    await screen.findByRole('progressbar')
    lose()
    await advanceTime(1000)
    await waitFor(() =>
      expect(toastsOfType('error')).toEqual([
        'Failed to backup PostgreSQLNo answer. The backup of PostgreSQL may be running or finished; check before starting it again.',
      ]),
    )
    expect(toastsOfType('success')).toEqual([])
    expect(screen.queryByRole('progressbar')).toBeNull()
    const polls = api.calls(jobs.get).length
    await advanceTime(3000)
    expect(api.calls(jobs.get)).toHaveLength(polls)
  })

  test('[CAP-11] [CAP-13] of a backup end with its size, like a synchronous backup', async () => {
    api.on(connections.list, {
      connections: [{ id: 1, name: 'Desk', type: 'sqlite', database_name: 'desk', is_active: 1 }],
    })
    api.on(backups.list, { backups: [] })
    api.answer(backups.create, () => Response.json({ job_id: 7 }, { status: 202 }))
    job = { ...JOB, state: 'done', result: { success: true, backup_size: 2048 } }
    const { user } = renderConsole('/admin/db-management')
    await user.click(await screen.findByRole('button', { name: /Desk/ }))
    await user.click(await screen.findByRole('tab', { name: 'Backups' }))
    await user.click(await screen.findByRole('button', { name: 'Create Backup' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Backup created: 2 KB']))
  })
})

async function beginBackup() {
  const view = renderConsole('/admin/database')
  await view.user.click(await screen.findByRole('button', { name: 'Backup Database' }))
  return view
}
