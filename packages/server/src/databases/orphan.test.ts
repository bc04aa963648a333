import { execFileSync } from 'node:child_process'
import { until } from '@binnacle/stores/testkit'
import { expect, test } from 'vitest'
import { startProgram } from '#testkit/program.ts'
import { testEnvironment } from '#testkit/running-server.ts'

const ENDLESS = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n'

test('[STORE-6] a server that is killed takes its running statements with it', async () => {
  const server = startProgram(testEnvironment())
  const origin = `http://localhost:${await server.isUp()}`
  const post = (path: string, body: object) =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const endless = post('/api/db/binnacle-admin/query', { query: ENDLESS }).catch(() => 'cut off')
  const [engine] = await until(() => busyEnginesOf(server.child.pid))
  server.child.kill('SIGKILL')
  expect(await endless).toBe('cut off')
  await until(() => expect(isAlive(Number(engine))).toBe(false))
})

/** Those that have had a second of the processor, so that they are in the middle of their statement. */
function busyEnginesOf(server: number | undefined): string[] {
  const list = execFileSync('ps', ['--ppid', String(server), '-o', 'pid=,times=,args='], { encoding: 'utf8' })
  const busy = list
    .split('\n')
    .flatMap((line) => /^\s*(\d+)\s+[1-9]\d*\s.*store-worker-main/.exec(line)?.[1] ?? [])
  if (busy.length === 0) throw new Error('No engine is busy yet')
  return busy
}

function isAlive(pid: number): boolean {
  return execFileSync('ps', ['-e', '-o', 'pid='], { encoding: 'utf8' })
    .split('\n')
    .some((line) => Number(line) === pid)
}
