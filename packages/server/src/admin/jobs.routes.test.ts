import { adminEndpoint, orJob, jobs as wire } from '@binnacle/contract'
import type { JobControl } from '@binnacle/stores'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { createHttpApp } from '#http/app.ts'
import { mount } from '#http/mount.ts'
import { answerInTime } from '#services/jobs/answer-in-time.ts'
import { createJobs } from '#services/jobs/job-runner.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { newAdminStore } from '#testkit/admin-store.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { addJobsRoutes } from './jobs.routes.ts'

const ACT = serverAuditContext('test')

test('jobs are listed newest first, shown with log and result, and filtered by state', async () => {
  const { app, jobs } = await newApp()
  const done = await jobs.start(ACT, {
    kind: 'backup',
    title: 'Back up',
    async run({ log }) {
      log('copied')
      return { bytes: 5 }
    },
  })
  await done.ended
  const going = await jobs.start(ACT, { kind: 'export', title: 'Export', run: untilStopped })
  const { jobs: listed } = wire.list.reply.parse((await app.inject('/api/admin/jobs')).json())
  expect(listed.map(({ id, kind, state }) => [id, kind, state])).toEqual([
    [2, 'export', expect.stringMatching('queued|running')],
    [1, 'backup', 'done'],
  ])
  expect((await app.inject('/api/admin/jobs?state=done&limit=1')).json().jobs).toHaveLength(1)
  expect((await app.inject('/api/admin/jobs/1')).json()).toMatchObject({
    id: 1,
    title: 'Back up',
    progress: 1,
    asked_by: 'server',
    result: { bytes: 5 },
    log: [{ text: 'copied' }],
  })
  const cancelled = await app.inject({ method: 'POST', url: '/api/admin/jobs/2/cancel' })
  expect(cancelled.json()).toMatchObject({ id: 2, is_cancelling: true })
  await going.ended
  expect((await app.inject('/api/admin/jobs/2')).json()).toMatchObject({ state: 'cancelled' })
})

test('an ended or unknown job cannot be cancelled', async () => {
  const { app, jobs } = await newApp()
  await (await jobs.start(ACT, { kind: 'a', title: 'A', run: async () => 1 })).ended
  const ended = await app.inject({ method: 'POST', url: '/api/admin/jobs/1/cancel' })
  expect(ended.json()).toMatchObject({ status: 409, code: 'job.ended' })
  for (const url of ['/api/admin/jobs/9', '/api/admin/jobs/9/cancel']) {
    const reply = await app.inject({ method: url.endsWith('cancel') ? 'POST' : 'GET', url })
    expect(reply.json()).toMatchObject({
      code: 'thing.unknown',
      detail: "There is no job '9'. GET /api/admin/jobs lists them.",
    })
  }
})

test('a call that takes long answers 202 with its job', async () => {
  const { app, jobs } = await newApp()
  const reply = orJob(z.object({ a: z.number() }))
  const slow = adminEndpoint('POST /api/slow', { summary: 'Slow', role: 'admin', reply })
  mount(app, slow, async (_, { audit }) => {
    const started = await jobs.start(audit, { kind: 'slow', title: 'Slow', run: untilStopped })
    return answerInTime(started, () => ({ a: 1 }), 0)
  })
  const posted = await app.inject({ method: 'POST', url: '/api/slow' })
  expect([posted.statusCode, posted.json()]).toEqual([
    202,
    { job_id: 1, message: "'Slow' continues as job 1." },
  ])
})

function untilStopped({ signal }: JobControl): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

async function newApp() {
  const { store } = await newAdminStore()
  const jobs = createJobs({ store: store.jobs })
  const app = createHttpApp({ logger: silentLog })
  addJobsRoutes(app, jobs)
  return { app, jobs }
}
