import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { storeWorkerProcesses } from '#testkit/drivers/sqlite-fixture.ts'
import { describePostgres, freshDatabase } from '#testkit/stores/test-stores.ts'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import { createStoreWorkerPool } from './store-worker-pool.ts'
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
    'The process that ran the statement was killed by the operating system, probably for lack of memory.',
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
  const run = (statement: string) =>
    worker.call({ name: 'run', args: [statement, { rows: 1, bytes: 100 }] }, new AbortController().signal)
  await run('SELECT 1')
  const running = run(ENDLESS)
  running.catch(() => undefined)
  const [pid] = workerPids().filter((one) => !others.includes(one))
  process.kill(Number(pid), signal)
  await expect(running).rejects.toMatchObject({ code: 'store.refused', message: sentence })
  expect(worker.isAlive).toBe(false)
})

test.each([
  ['is used again', undefined, true],
  ['that holds too much memory is not used again', 1, false],
] as const)('[STORE-67] a worker %s', async (_, maxIdleMemory, isSame) => {
  const file = join(temporaryFolder(), 'desk.sqlite')
  new DatabaseSync(file).close()
  const config = { kind: 'sqlite', file, writable: false, hiddenColumns: [] } as const
  const pool = createStoreWorkerPool(() => config, maxIdleMemory)
  onTestFinished(() => pool.close())
  const others = workerPids()
  const usedPid = async () => {
    const { signal } = new AbortController()
    const lease = await pool.acquire(signal)
    await lease.call({ name: 'ping', args: [] }, signal)
    const [pid] = workerPids().filter((one) => !others.includes(one))
    lease.release()
    return pid
  }
  const first = await usedPid()
  if (!isSame) await expect.poll(() => workerPids().includes(first ?? '')).toBe(false)
  expect((await usedPid()) === first).toBe(isSame)
})

describePostgres('a worker whose statement was cancelled', () => {
  test('[STORE-6] runs the next one to its end, however long', async () => {
    const { url } = await freshDatabase(onTestFinished)
    const config = { ...POSTGRES, connectionString: url, timeLimitMs: 60_000 }
    const worker = startStoreWorkerProcess({ kind: 'postgresql', connection: config })
    onTestFinished(() => worker.kill())
    const run = (statement: string, signal = new AbortController().signal) =>
      worker.call({ name: 'run', args: [statement, { rows: 10, bytes: 1000 }] }, signal)
    await run('SELECT 1')
    // Time stands still, so that a slow worker is not killed before it has cancelled.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const cancel = new AbortController()
    const cancelled = run('SELECT pg_sleep(60)', cancel.signal)
    cancel.abort(new Error('stop'))
    await expect(cancelled).rejects.toThrow('stop')
    const next = run('SELECT 2 AS two')
    // Longer than a worker gets to cancel.
    vi.advanceTimersByTime(60_000)
    await expect(next).resolves.toMatchObject({ rows: [{ two: 2 }] })
  })
})

test('[STORE-2] the password of a connection is no argument of the process', async () => {
  const config = { ...POSTGRES, connectionString: 'postgresql://desk:sesame@127.0.0.1:1/desk' }
  const worker = startStoreWorkerProcess({ kind: 'postgresql', connection: config })
  onTestFinished(() => worker.kill())
  await expect(worker.call({ name: 'ping', args: [] }, new AbortController().signal)).rejects.toThrow(
    /refused/,
  )
  expect(storeWorkerProcesses().length).toBeGreaterThan(0)
  expect(storeWorkerProcesses().join()).not.toContain('sesame')
})

function workerPids(): string[] {
  return storeWorkerProcesses().flatMap((line) => line.trim().split(/\s+/)[1] ?? [])
}
