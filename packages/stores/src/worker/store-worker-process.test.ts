import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { storeWorkerProcesses } from '#testkit/drivers/sqlite-fixture.ts'
import { describePostgres, freshDatabase } from '#testkit/stores/test-stores.ts'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import { until } from '#testkit/until.ts'
import { startStoreWorkerProcess } from './store-worker-process.ts'

const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n'

const POSTGRES = {
  id: '1',
  name: 'Desk',
  kind: 'postgresql',
  databaseName: '',
  writable: false,
  timeLimitMs: 1000,
} as const

test.each([
  [
    'SIGKILL',
    'The process that ran the statement was killed from outside. Systems that are short of memory do that.',
  ],
  ['SIGTERM', 'The process that ran the statement ended unexpectedly (SIGTERM).'],
  [
    'SIGUSR2',
    'The statement needed more than 768 MiB of memory and was ended. Read fewer rows or columns at a time.',
  ],
  ['SIGABRT', 'The statement ran out of memory. Read fewer rows or columns at a time.'],
] as const)('[STORE-35] a worker that ends by %s is reported so', async (signal, sentence) => {
  const file = join(temporaryFolder(), 'desk.sqlite')
  new DatabaseSync(file).close()
  const others = workerPids()
  const worker = startStoreWorkerProcess({ kind: 'sqlite', file, writable: false, hiddenColumns: [] })
  onTestFinished(() => worker.kill())
  const caps = { rows: 1, bytes: 1 }
  const running = worker.call({ name: 'run', args: [ENDLESS, caps] }, new AbortController().signal)
  running.catch(() => undefined)
  const pid = await until(() => busyWorker(others))
  process.kill(pid, signal)
  await expect(running).rejects.toMatchObject({ code: 'store.refused', message: sentence })
  expect(worker.isAlive).toBe(false)
})

describePostgres('a worker whose statement was cancelled', () => {
  test('[STORE-6] runs the next one to its end, however long', async () => {
    const { url } = await freshDatabase(onTestFinished)
    const target = { ...POSTGRES, connectionString: url, timeLimitMs: 60_000 }
    const worker = startStoreWorkerProcess({ kind: 'postgresql', target })
    onTestFinished(() => worker.kill())
    const run = (statement: string, signal = new AbortController().signal) =>
      worker.call({ name: 'run', args: [statement, { rows: 10, bytes: 1000 }] }, signal)
    await run('SELECT 1')
    await expect(run('SELECT pg_sleep(60)', AbortSignal.timeout(50))).rejects.toThrow(/timeout/)
    // Longer than a worker gets to cancel.
    await expect(run('SELECT 2 AS two FROM pg_sleep(1.5)')).resolves.toMatchObject({ rows: [{ two: 2 }] })
  })
})

test('[STORE-2] the password of a target is no argument of the process', async () => {
  const target = { ...POSTGRES, connectionString: 'postgresql://desk:sesame@127.0.0.1:1/desk' }
  const worker = startStoreWorkerProcess({ kind: 'postgresql', target })
  onTestFinished(() => worker.kill())
  await expect(worker.call({ name: 'ping', args: [] }, new AbortController().signal)).rejects.toThrow(
    /refused/,
  )
  expect(storeWorkerProcesses().length).toBeGreaterThan(0)
  expect(storeWorkerProcesses().join()).not.toContain('sesame')
})

/** The process id of a new worker that is in the middle of its statement: it has used the processor for a second. */
function busyWorker(others: readonly string[]): number {
  const pid = workerPids().find((one) => {
    const seconds = () => execFileSync('ps', ['-p', one, '-o', 'times='], { encoding: 'utf8' })
    return !others.includes(one) && Number(seconds()) >= 1
  })
  if (pid === undefined) throw new Error('No worker is busy yet')
  return Number(pid)
}

function workerPids(): string[] {
  return storeWorkerProcesses().flatMap((line) => line.trim().split(/\s+/)[1] ?? [])
}
