import { setImmediate as turn } from 'node:timers/promises'
import { type JobControl, JobFailure } from '@binnacle/stores'
import { describe, expect, test } from 'vitest'
import { JobReply } from '#http/job-reply.ts'
import { Refused } from '#http/problems.ts'
import { openAdminStore } from '#storage/admin-store.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { newAdminStore } from '#testkit/admin-store.ts'
import { answerInTime } from './answer-in-time.ts'
import { createJobs, failureLine } from './job-runner.ts'

const ACT = { ...serverAuditContext('backups.create'), actor: 'ada' }

describe('a job', () => {
  test('runs, reports progress and messages, and stores its result', async () => {
    const { jobs } = await newJobs()
    const middle = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const started = await jobs.start(ACT, {
      kind: 'backup',
      title: 'Back up',
      async run({ progress, log }) {
        log('opened')
        progress(0.5, 'Half of it is copied.')
        middle.resolve()
        await goOn.promise
        log('closed')
        return { bytes: 12 }
      },
    })
    await middle.promise
    expect(await jobs.find(started.id)).toMatchObject({
      state: 'running',
      progress: 0.5,
      message: 'Half of it is copied.',
      asked_by: 'ada',
      isCancelling: false,
      log: [{ line: 1, text: 'opened' }],
    })
    goOn.resolve()
    expect(await started.ended).toEqual({ state: 'done', result: { bytes: 12 } })
    expect(await jobs.find(started.id)).toMatchObject({
      state: 'done',
      progress: 1,
      result: '{"bytes":12}',
      error: null,
      log: [{ text: 'opened' }, { text: 'closed' }],
    })
  })

  test('is audited at its start with the user and at its end with the server', async () => {
    const { jobs, store } = await newJobs()
    await (
      await jobs.start(
        ACT,
        work(async () => 'secret result'),
      )
    ).ended
    const lines = await store.audit.page({ entity: 'job' }, 1e9, 10)
    expect(lines.map(({ actor, action, target, after }) => [actor, action, target, after])).toEqual([
      ['server', 'jobs.end', '1', '{"state":"done"}'],
      ['ada', 'backups.create', '1', '{"kind":"test","state":"queued","title":"Test"}'],
    ])
  })

  test('[BACKUP-29] that fails is reported with its reason, as a line for the log', async () => {
    const lines: object[] = []
    const { jobs } = await newJobs({ onFailure: (job) => lines.push(failureLine(job)) })
    const failing = async () => {
      throw new JobFailure('The disk is full.')
    }
    await (await jobs.start(ACT, { kind: 'backup.7', title: 'Back up Ledger', run: failing })).ended
    await (await jobs.start(ACT, { kind: 'backup.8', title: 'Back up', run: async () => 'fine' })).ended
    expect(lines).toEqual([
      { event: 'backup.failed', job: 1, title: 'Back up Ledger', reason: 'The disk is full.' },
    ])
  })

  test('that fails gives its reason; an unexpected error goes to the log only', async () => {
    const faults: unknown[] = []
    const { jobs } = await newJobs({ onFault: (fault) => faults.push(fault) })
    const known = await jobs.start(
      ACT,
      work(() => Promise.reject(new JobFailure('The disk is full.'))),
    )
    expect(await known.ended).toEqual({ state: 'failed', error: 'The disk is full.' })
    expect(faults).toEqual([])
    const bug = new TypeError('x of undefined at /secret/path')
    const unknown = await jobs.start(
      ACT,
      work(() => Promise.reject(bug)),
    )
    const error = 'Something went wrong inside the server. See logs/server.log in the data folder.'
    expect(await unknown.ended).toEqual({ state: 'failed', error })
    expect(faults).toEqual([bug])
    expect(await jobs.find(unknown.id)).toMatchObject({ state: 'failed', error, message: error })
  })

  test('waits in the queue while the maximum number of jobs is running', async () => {
    const { jobs } = await newJobs({ maxRunning: 2 })
    const order: string[] = []
    const gates = ['a', 'b', 'c', 'd'].map((name) => ({ name, ...Promise.withResolvers<void>() }))
    const started = []
    for (const { name, promise } of gates) {
      const run = () => {
        order.push(name)
        return promise
      }
      started.push(await jobs.start(ACT, work(run)))
    }
    expect((await jobs.list(10, 'queued')).map(({ id }) => id)).toEqual([4, 3])
    gates[1]?.resolve()
    await started[1]?.ended
    await turn()
    expect(order).toEqual(['a', 'b', 'c'])
    for (const { resolve } of gates) resolve()
    await Promise.all(started.map(({ ended }) => ended))
    expect(order).toEqual(['a', 'b', 'c', 'd'])
  })

  test('stores at most 1000 log lines and a progress between 0 and 1', async () => {
    const { jobs } = await newJobs()
    const started = await jobs.start(
      ACT,
      work(async ({ log, progress }) => {
        for (let line = 0; line < 3000; line++) log('x'.repeat(5000))
        progress(7, 'Far.')
        progress(Number.NaN, 'Lost.')
        throw new JobFailure('No.')
      }),
    )
    await started.ended
    const found = await jobs.find(started.id)
    expect(found).toMatchObject({ progress: 1 })
    expect(found?.log).toHaveLength(1000)
    expect(found?.log[0]?.text).toHaveLength(2000)
    expect(found?.log[999]?.text).toBe('The log ends here: a job stores at most 1000 lines.')
  })
})

describe('cancelling', () => {
  test('stops work that checks its signal, and records who cancelled', async () => {
    const { jobs, store } = await newJobs()
    const started = await jobs.start(ACT, work(untilStopped))
    const cancel = { ...ACT, action: 'jobs.cancel', actor: 'bob' }
    expect(await jobs.cancel(cancel, started.id)).toMatchObject({ ok: true, value: { isCancelling: true } })
    expect(await started.ended).toEqual({ state: 'cancelled', error: 'Cancelled.' })
    expect(await jobs.find(started.id)).toMatchObject({ state: 'cancelled', isCancelling: false })
    const lines = await store.audit.page({ action: 'jobs.cancel' }, 1e9, 10)
    expect(lines).toMatchObject([{ actor: 'bob', target: String(started.id) }])
  })

  test('removes a job from the queue, and it never runs', async () => {
    const { jobs } = await newJobs({ maxRunning: 1 })
    const first = await jobs.start(ACT, work(untilStopped))
    let hasRun = false
    const second = await jobs.start(
      ACT,
      work(async () => {
        hasRun = true
      }),
    )
    await jobs.cancel(ACT, second.id)
    expect(await second.ended).toMatchObject({ state: 'cancelled' })
    await jobs.cancel(ACT, first.id)
    await first.ended
    expect(hasRun).toBe(false)
  })

  test('has no effect on work that completes anyway', async () => {
    const { jobs } = await newJobs()
    const gate = Promise.withResolvers<void>()
    const started = await jobs.start(
      ACT,
      work(() => gate.promise),
    )
    await jobs.cancel(ACT, started.id)
    gate.resolve()
    expect(await started.ended).toMatchObject({ state: 'done' })
    expect(await jobs.cancel(ACT, started.id)).toEqual({ ok: false, reason: 'ended' })
    expect(await jobs.cancel(ACT, 99)).toEqual({ ok: false, reason: 'unknown' })
  })
})

describe('a job that outlives its server', () => {
  test('is interrupted after a restart, keeps its progress and is not run again', async () => {
    const { store, file } = await newAdminStore()
    const row = await store.jobs.add(ACT, { kind: 'test', title: 'Test' })
    await store.jobs.begin(row.id)
    await store.jobs.report(row.id, { progress: 0.25, message: 'A quarter.' }, [])
    await store.close()
    const again = await openAdminStore(file)
    expect(await again.jobs.list(10)).toMatchObject([
      { state: 'interrupted', progress: 0.25, error: 'The server stopped before this ended.' },
    ])
    const [line] = await again.audit.page({ action: 'jobs.interrupt' }, 1e9, 10)
    expect(line).toMatchObject({ actor: 'server', before: '{"state":"running"}' })
    await again.close()
    const third = await openAdminStore(file)
    expect(await third.audit.page({ action: 'jobs.interrupt' }, 1e9, 10)).toHaveLength(1)
    await third.close()
  })

  test('is stopped by close; one that does not stop is marked interrupted', async () => {
    const { jobs } = await newJobs({ maxRunning: 2 })
    const gate = Promise.withResolvers<string>()
    const polite = await jobs.start(ACT, work(untilStopped))
    const unstoppable = await jobs.start(
      ACT,
      work(() => gate.promise),
    )
    const queued = await jobs.start(ACT, work(untilStopped))
    await jobs.close(1)
    const error = 'The server was shut down before this job ended.'
    expect(await polite.ended).toEqual({ state: 'interrupted', error })
    expect(await queued.ended).toEqual({ state: 'interrupted', error })
    gate.resolve('late')
    await unstoppable.ended
    expect((await jobs.list(10)).map(({ state }) => state)).toEqual(Array(3).fill('interrupted'))
  })
})

describe('a call whose work is a job', () => {
  test('answers with the result when the work ends in time', async () => {
    const { jobs } = await newJobs()
    const started = await jobs.start(
      ACT,
      work(async () => 12),
    )
    expect(await answerInTime(started, (bytes) => ({ message: `${bytes} bytes` }))).toEqual({
      message: '12 bytes',
    })
  })

  test('answers 202 with the job when it takes longer', async () => {
    const { jobs } = await newJobs()
    const started = await jobs.start(ACT, work(untilStopped))
    const reply = await answerInTime(started, () => expect.fail(), 0)
    expect(reply).toEqual(new JobReply(started.id, `'Test' continues as job ${started.id}.`))
    await jobs.close(1000)
  })

  test('answers with a problem when it fails', async () => {
    const { jobs } = await newJobs()
    const started = await jobs.start(
      ACT,
      work(() => Promise.reject(new JobFailure('The disk is full.'))),
    )
    expect(await answerInTime(started, () => expect.fail())).toEqual(
      new Refused('job.failed', 'The disk is full.'),
    )
  })
})

function work<Result>(run: (control: JobControl) => Promise<Result>) {
  return { kind: 'test', title: 'Test', run }
}

function untilStopped({ signal }: JobControl): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

async function newJobs(options: Partial<Parameters<typeof createJobs>[0]> = {}) {
  const { store } = await newAdminStore()
  return { store, jobs: createJobs({ store: store.jobs, ...options }) }
}
