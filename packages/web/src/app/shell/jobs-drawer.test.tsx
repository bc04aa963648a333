import { type Job, jobs, service } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { freezeDate } from '#testkit/time.ts'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'

const RUNNING: Job = {
  id: 7,
  kind: 'database.backup',
  title: 'Back up PostgreSQL',
  state: 'running',
  progress: 0.5,
  created_at: '2026-11-16T03:00:00Z',
  started_at: '2026-11-16T11:59:00Z',
}
const FAILED: Job = {
  id: 6,
  kind: 'database.backup',
  title: 'Back up Redis',
  state: 'failed',
  progress: 0.2,
  created_at: '2026-11-16T02:00:00Z',
  started_at: '2026-11-16T02:00:01Z',
  ended_at: '2026-11-16T02:01:06Z',
  error: 'The disk is full.',
}

let api: FakeApi

beforeEach(() => {
  freezeDate('2026-11-16T12:00:00Z')
  api = createFakeApi()
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['jobs'] })
})

afterEach(clearToasts)

async function openJobs() {
  const view = renderConsole('/docs')
  await view.user.click(await screen.findByRole('button', { name: /^Jobs/ }))
  return { ...view, drawer: within(await screen.findByRole('complementary', { name: 'Jobs' })) }
}

describe('the jobs drawer', () => {
  test('[SHELL-38] lists active and ended jobs that this page did not begin', async () => {
    api.on(jobs.list, { jobs: [RUNNING, FAILED] })
    const { drawer } = await openJobs()
    const active = within(await drawer.findByRole('list', { name: 'Active jobs' }))
    expect(active.getByRole('progressbar', { name: 'Back up PostgreSQL' })).toHaveAttribute('value', '50')
    expect(active.getByText('50% · 1 min elapsed, about 1 min left')).toBeVisible()
    const recent = within(drawer.getByRole('list', { name: 'Recent jobs' }))
    expect(recent.getByText('The disk is full.')).toBeVisible()
    expect(recent.getByText('2026-11-16 02:01:06 UTC · took 1 min 5 s')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Jobs, 1 active' })).toHaveTextContent('1')
  })

  test('[SHELL-38] shows the log and the result of a job', async () => {
    api.on(jobs.list, { jobs: [FAILED] })
    api.on(jobs.get, {
      ...FAILED,
      result: { bytes: 12 },
      log: [{ at: '2026-11-16T02:00:30Z', text: 'Copying' }],
    })
    const { user, drawer } = await openJobs()
    await user.click(await drawer.findByText('Result and log'))
    expect(await drawer.findByText('02:00:30 Copying')).toBeVisible()
    expect(drawer.getByText(/"bytes": 12/)).toBeVisible()
  })

  test('[SHELL-38] cancels a job', async () => {
    api.on(jobs.list, { jobs: [RUNNING] })
    api.on(jobs.cancel, { ...RUNNING, is_cancelling: true })
    const { user, drawer } = await openJobs()
    await user.click(await drawer.findByRole('button', { name: 'Cancel Back up PostgreSQL' }))
    await waitFor(() =>
      expect(api.calls(jobs.cancel).map(({ path }) => path)).toEqual(['/api/admin/jobs/7/cancel']),
    )
  })

  test('[CLIENT-17] says what may have happened when a cancel got no answer', async () => {
    api.on(jobs.list, { jobs: [RUNNING] })
    api.drop(jobs.cancel)
    const { user, drawer } = await openJobs()
    await user.click(await drawer.findByRole('button', { name: 'Cancel Back up PostgreSQL' }))
    await waitFor(() =>
      expect(toastsOfType('error')).toEqual([
        'Failed to cancelNo answer. The job may have been cancelled; its state under Jobs shows whether it was.',
      ]),
    )
  })

  test('[SHELL-38] says that there are none, or that they could not be loaded', async () => {
    api.on(jobs.list, { jobs: [] })
    const { drawer, queryClient } = await openJobs()
    expect(await drawer.findByText('No jobs yet')).toBeVisible()
    api.drop(jobs.list)
    await queryClient.refetchQueries({ queryKey: ['jobs'] })
    expect(await drawer.findByText('The jobs could not be loaded')).toBeVisible()
  })

  test('[SHELL-40] Esc closes a drawer and returns the focus to its button', async () => {
    api.on(jobs.list, { jobs: [] })
    const { user } = await openJobs()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('complementary')).not.toBeInTheDocument())
    expect(screen.getByRole('button', { name: 'Jobs' })).toHaveFocus()
  })
})
