import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createJobs } from '#services/jobs/job-runner.ts'
import { type AdminStore, openAdminStore } from '#storage/admin-store.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { type ManualClock, manualClock } from '#testkit/manual-clock.ts'
import type { TaskResult } from './task-kinds.ts'
import { createTaskRunner } from './task-runner.ts'
import { createTaskScheduler } from './task-scheduler.ts'

const ACT = { ...serverAuditContext('test'), actor: 'ada' }
const DAILY = { name: 'Nightly', kind: 'audit.verify', schedule: '0 3 * * *', time_zone: 'UTC' } as const

describe('a task', () => {
  test('runs at its time, once, and the history has its duration and outcome', async () => {
    const desk = await newDesk()
    await desk.add(DAILY)
    await desk.scheduler.start()
    expect(desk.clock.next()).toBe('2026-03-02T03:00:00.000Z')
    desk.clock.set('2026-03-02T03:00:00Z')
    await desk.scheduler.refresh()
    desk.clock.set('2026-03-02T03:00:04Z')
    await desk.finish({ message: 'All well.', result: { lines: 7 } })
    await desk.scheduler.refresh()
    expect(await desk.history()).toMatchObject([
      {
        state: 'done',
        scheduled_for: '2026-03-02T03:00:00.000Z',
        asked_by: 'server',
        job_id: 1,
        started_at: '2026-03-02T03:00:00.000Z',
        ended_at: '2026-03-02T03:00:04.000Z',
        message: 'All well.',
        result: '{"lines":7}',
      },
    ])
    expect(desk.clock.next()).toBe('2026-03-03T03:00:00.000Z')
    const lines = await desk.store.audit.page({ action: 'tasks.run' }, 1e9, 10)
    expect(lines).toMatchObject([{ actor: 'server', role: 'server', address: null, entity: 'job' }])
  })

  test('uses its time zone', async () => {
    const desk = await newDesk()
    await desk.add({ ...DAILY, time_zone: 'Asia/Tokyo' })
    await desk.scheduler.start()
    expect(desk.clock.next()).toBe('2026-03-01T18:00:00.000Z')
  })

  test('that is not enabled does not run', async () => {
    const desk = await newDesk()
    await desk.add(DAILY, 0)
    await desk.scheduler.start()
    desk.clock.set('2026-03-02T03:00:00Z')
    await desk.scheduler.refresh()
    expect([desk.begun(), await desk.history()]).toEqual([0, []])
  })

  test('that is still running when it is due again is skipped, which the history records', async () => {
    const desk = await newDesk()
    await desk.add({ ...DAILY, schedule: '* * * * *' })
    await desk.scheduler.start()
    for (const minute of ['01', '02', '03']) {
      desk.clock.set(`2026-03-01T12:${minute}:00Z`)
      await desk.scheduler.refresh()
    }
    await desk.finish()
    const states = (await desk.history()).map(({ state, scheduled_for }) => [
      state,
      scheduled_for?.slice(11, 16),
    ])
    expect(states).toEqual([
      ['skipped', '12:03'],
      ['skipped', '12:02'],
      ['done', '12:01'],
    ])
    expect((await desk.history())[0]?.message).toBe('Skipped: the previous run was still running.')
    expect(desk.begun()).toBe(1)
  })

  test('can be run manually unless it is running, without using up an instant', async () => {
    const desk = await newDesk()
    const task = await desk.add(DAILY)
    const [first, second] = await Promise.all([
      desk.runner.run(ACT, task, null),
      desk.runner.run(ACT, task, null),
    ])
    expect([first?.runId, second]).toEqual([1, undefined])
    await desk.finish()
    expect(await desk.history()).toMatchObject([{ state: 'done', scheduled_for: null, asked_by: 'ada' }])
    await desk.scheduler.start()
    desk.clock.set('2026-03-02T03:00:00Z')
    await desk.scheduler.refresh()
    expect(desk.begun()).toBe(2)
  })
})

describe('after a restart', () => {
  test('a claimed instant is not run again, ended or not', async () => {
    const first = await newDesk()
    await first.add(DAILY)
    await first.scheduler.start()
    first.clock.set('2026-03-02T03:00:00Z')
    await first.scheduler.refresh()
    const second = await restart(first, '2026-03-02T03:00:05Z')
    await second.scheduler.start()
    expect(second.begun()).toBe(0)
    expect(await second.history()).toMatchObject([
      {
        state: 'interrupted',
        scheduled_for: '2026-03-02T03:00:00.000Z',
        message: 'The server stopped before this ended.',
      },
    ])
  })

  test('the store refuses a second claim of an instant', async () => {
    const desk = await newDesk()
    const { id: taskId } = await desk.add(DAILY)
    const claim = { taskId, scheduledFor: '2026-03-02T03:00:00.000Z', askedBy: 'server' }
    expect(await desk.store.taskRuns.claim(claim)).toMatchObject({ state: 'running' })
    expect(await desk.store.taskRuns.claim(claim)).toBeUndefined()
  })

  test('an instant within the last minute is run late', async () => {
    const first = await newDesk()
    await first.add(DAILY)
    const second = await restart(first, '2026-03-02T03:00:50Z')
    await second.scheduler.start()
    expect(second.begun()).toBe(1)
    await second.finish()
    expect(await second.history()).toMatchObject([
      { state: 'done', scheduled_for: '2026-03-02T03:00:00.000Z' },
    ])
  })

  test('missed instants are recorded together, once, and not run', async () => {
    const first = await newDesk()
    await first.add(DAILY)
    const second = await restart(first, '2026-03-05T12:00:00Z')
    await second.scheduler.start()
    await second.scheduler.refresh()
    expect(second.begun()).toBe(0)
    const missed = {
      state: 'missed',
      scheduled_for: '2026-03-02T03:00:00.000Z',
      message: '4 runs since 2026-03-02T03:00:00.000Z were missed: the server was not running.',
    }
    expect(await second.history()).toMatchObject([missed])
    const third = await restart(second, '2026-03-06T12:00:00Z')
    await third.scheduler.start()
    const one = 'The run of 2026-03-06T03:00:00.000Z was missed: the server was not running.'
    expect(await third.history()).toMatchObject([{ state: 'missed', message: one }, missed])
    const lines = await third.store.audit.page({ action: 'tasks.missed' }, 1e9, 10)
    expect(lines.map(({ actor, entity }) => [actor, entity])).toEqual([
      ['server', 'task'],
      ['server', 'task'],
    ])
  })

  test('missed instants are recorded and the last is run if it is within the last minute', async () => {
    const first = await newDesk()
    await first.add({ ...DAILY, schedule: '0 * * * *' })
    const second = await restart(first, '2026-03-01T15:00:01Z')
    await second.scheduler.start()
    await second.finish()
    expect(await second.history()).toMatchObject([
      { state: 'done', scheduled_for: '2026-03-01T15:00:00.000Z' },
      {
        state: 'missed',
        message: expect.stringMatching(/^2 runs since 2026-03-01T13:00:00.000Z were missed/),
      },
    ])
  })
})

test('an invalid task does not stop the others', async () => {
  const desk = await newDesk()
  await desk.add({ ...DAILY, name: 'Broken', time_zone: 'Mars/Olympus' })
  await desk.add(DAILY)
  await desk.scheduler.start()
  expect(desk.clock.next()).toBe('2026-03-02T03:00:00.000Z')
  expect(desk.faults).toHaveLength(1)
})

test.each(['list', 'claim'] as const)(
  '[ADM-300] a store that fails in %s is read again ten seconds later',
  async (call) => {
    const desk = await newDesk()
    await desk.add(DAILY)
    await desk.scheduler.start()
    const { tasks, taskRuns } = desk.store
    const spy = call === 'list' ? vi.spyOn(tasks, 'list') : vi.spyOn(taskRuns, 'claim')
    spy.mockRejectedValue(new Error('database is locked'))
    desk.clock.set('2026-03-02T03:00:00Z')
    await desk.scheduler.refresh()
    expect(desk.faults.map(String)).toContain('Error: database is locked')
    expect(desk.clock.next()).toBe('2026-03-02T03:00:10.000Z')
    spy.mockRestore()
    desk.clock.set('2026-03-02T03:00:10Z')
    await desk.scheduler.refresh()
    expect(desk.begun()).toBe(1)
    expect(desk.clock.next()).toBe('2026-03-03T03:00:00.000Z')
  },
)

/** Without the task that a new store has; the next one gets the id 2. */
async function newDesk() {
  const desk = await openScheduler(join(temporaryFolder(), 'admin.sqlite'), '2026-03-01T12:00:00Z')
  await desk.store.tasks.remove(ACT, 1)
  return desk
}

async function openScheduler(file: string, time: string) {
  const clock = manualClock(time)
  const store = await openAdminStore(file, clock.now)
  onTestFinished(() => store.close())
  return { ...deskOn(store, clock), file }
}

/** As after a kill: opens the file again without closing the old store. */
function restart({ file, scheduler }: Awaited<ReturnType<typeof openScheduler>>, time: string) {
  scheduler.stop()
  return openScheduler(file, time)
}

/** A scheduler with a manual clock and work that the test ends. */
function deskOn(store: AdminStore, clock: ManualClock) {
  const gates: PromiseWithResolvers<TaskResult>[] = []
  const faults: unknown[] = []
  const onFault = (fault: unknown) => faults.push(fault)
  const work = () => {
    const gate = Promise.withResolvers<TaskResult>()
    gates.push(gate)
    return gate.promise
  }
  const kinds = {
    'audit.verify': work,
    'history.clean': work,
    'health.report': work,
    'backup.make': work,
    'backup.drill': work,
    'audit.anchor': work,
    'stores.check': work,
  }
  const jobs = createJobs({ store: store.jobs, now: clock.now })
  const runner = createTaskRunner({ runs: store.taskRuns, jobs, kinds, onFault })
  const scheduler = createTaskScheduler({ store, runner, clock, onFault })
  return {
    store,
    clock,
    runner,
    scheduler,
    faults,
    begun: () => gates.length,
    history: (taskId = 2) => store.taskRuns.ofTask(taskId, 10),
    async add(
      task: Pick<typeof DAILY, 'kind'> & Record<'name' | 'schedule' | 'time_zone', string>,
      is_enabled: 0 | 1 = 1,
    ) {
      const handled_until = clock.now().toISOString()
      const outcome = await store.tasks.add(ACT, { ...task, is_enabled, handled_until })
      return outcome.ok ? outcome.value : expect.fail(outcome.reason)
    },
    /** Ends the running work and waits for its record in the history. */
    async finish(result: TaskResult = { message: 'Done.', result: null }) {
      for (const { resolve } of gates) resolve(result)
      while (runner.isRunning(2)) await turn()
    },
  }
}
