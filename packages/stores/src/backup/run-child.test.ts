import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '#testkit/until.ts'

const ENDLESS = 'console.log(process.pid); setInterval(() => {}, 1000)'

test('[BACKUP-28] a program ends with the process that runs it, also when that one is killed', async () => {
  const server = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `import { spawnGuarded } from ${JSON.stringify(new URL('./run-child.ts', import.meta.url).href)}
    spawnGuarded(process.execPath, ['-e', ${JSON.stringify(ENDLESS)}], {}).child.stdout.pipe(process.stdout)`,
  ])
  onTestFinished(() => void server.kill('SIGKILL'))
  const [output] = await once(server.stdout, 'data')
  const program = Number(output)
  expect(isAlive(program)).toBe(true)
  server.kill('SIGKILL')
  await until(() => expect(isAlive(program)).toBe(false))
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
