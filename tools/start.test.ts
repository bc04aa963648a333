import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { start } from './testkit/program.ts'
import { smallProject } from './testkit/small-project.ts'
import { writeFiles } from './testkit/temporary-folder.ts'

test('the first start builds the site, the second does not', async () => {
  const root = smallProject()
  expect(await outputOfOneRun(root)).toContain('Building the site…')
  expect(await outputOfOneRun(root)).not.toContain('Building')
})

test('a changed source or API address builds the site again', async () => {
  const root = smallProject()
  await outputOfOneRun(root)
  writeFiles(root, { 'packages/web/src/main.tsx': 'changed' })
  expect(await outputOfOneRun(root)).toContain('Building the site…')
  const elsewhere = { ...process.env, VITE_TRADING_API_URL: 'http://desk:8000' }
  expect(await outputOfOneRun(root, elsewhere)).toContain('Building the site…')
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s closes the server and ends with code 0',
  async (signal) => {
    const root = smallProject()
    const program = start(join(root, 'tools/start.mjs'))
    const server = pidIn(await program.line('up '))
    program.child.kill(signal)
    expect(await program.ended).toBe(0)
    expect(isAlive(server)).toBe(false)
    expect(readFileSync(join(root, 'data.log'), 'utf8')).toBe('closed\n')
  },
)

test('two signals at once close the server once', async () => {
  const root = smallProject()
  const program = start(join(root, 'tools/start.mjs'))
  await program.line('up ')
  program.child.kill('SIGINT')
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  expect(readFileSync(join(root, 'data.log'), 'utf8')).toBe('closed\n')
})

test('killing the launcher closes the server', async () => {
  const root = smallProject()
  const program = start(join(root, 'tools/start.mjs'))
  const server = pidIn(await program.line('up '))
  onTestFinished(() => void (isAlive(server) && process.kill(server, 'SIGKILL')))
  program.child.kill('SIGKILL')
  await until(() => expect(readFileSync(join(root, 'data.log'), 'utf8')).toBe('closed\n'))
})

test('the server exits when npm and its shell have exited', async () => {
  const root = smallProject()
  // As under npm: a shell in between, which exits on the signal.
  const shell = spawn('/bin/sh', ['-c', `"${process.execPath}" tools/start.mjs; true`], {
    cwd: root,
    env: { ...process.env, npm_lifecycle_event: 'start' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await serverOf(shell)
  shell.kill('SIGTERM')
  await until(() => expect(readFileSync(join(root, 'data.log'), 'utf8')).toBe('closed\n'))
})

/** Starts the launcher through a shell, as npm does, and returns the shell's pid. */
const NPM = `
  const { spawn } = require('node:child_process')
  const env = { ...process.env, npm_lifecycle_event: 'start' }
  const shell = spawn('/bin/sh', ['-c', '"' + process.execPath + '" tools/start.mjs; true'], { env, stdio: 'inherit' })
  shell.on('exit', () => process.exit(0))`

test.runIf(existsSync('/proc/self/stat'))('the server exits when npm is killed', async () => {
  const root = smallProject()
  const npm = spawn(process.execPath, ['-e', NPM], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const server = await serverOf(npm)
  npm.kill('SIGKILL')
  await until(() => expect(readFileSync(join(root, 'data.log'), 'utf8')).toBe('closed\n'))
  await until(() => expect(isAlive(server)).toBe(false))
})

test.runIf(existsSync('/proc/self/stat'))('the server stays when the parent of npm exits', async () => {
  const root = smallProject()
  writeFiles(root, { 'npm.cjs': NPM })
  const terminal = spawn('/bin/sh', ['-c', `"${process.execPath}" npm.cjs & echo "npm $!"; read line`], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const npm = new Promise<number>((resolve) =>
    terminal.stdout.on('data', (chunk) => {
      const pid = /^npm (\d+)$/m.exec(String(chunk))?.[1]
      if (pid !== undefined) resolve(Number(pid))
    }),
  )
  const server = await serverOf(terminal)
  const pid = await npm
  terminal.kill('SIGKILL')
  await until(() => expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).not.toContain(` ${terminal.pid} `))
  // The launcher checks four times a second.
  let looks = 0
  await vi.waitFor(() => expect(++looks).toBe(10), { interval: 100, timeout: 120_000 })
  expect(isAlive(server)).toBe(true)
  process.kill(pid, 'SIGKILL')
  await until(() => expect(isAlive(server)).toBe(false))
})

test("the server's exit code is the command's", async () => {
  const root = smallProject({ 'packages/server/src/main.ts': 'process.exit(3)' })
  expect(await start(join(root, 'tools/start.mjs')).ended).toBe(3)
})

test('a failed build prints its reason and starts nothing', async () => {
  const root = smallProject({
    'node_modules/vite/bin/vite.js': "console.error('main.tsx: no such export'); process.exit(1)",
  })
  const program = start(join(root, 'tools/start.mjs'))
  expect(await program.ended).toBe(1)
  expect(program.output()).toBe(
    'Building the site…\nmain.tsx: no such export\nBuilding the site failed: the reason is above.\n',
  )
  expect(existsSync(join(root, 'packages/web/dist/.vite/built-from'))).toBe(false)
})

async function outputOfOneRun(root: string, env = process.env): Promise<string> {
  const program = start(join(root, 'tools/start.mjs'), [], env)
  await program.line('up ')
  program.child.kill('SIGTERM')
  await program.ended
  return program.output()
}

function until(look: () => void): Promise<void> {
  return vi.waitFor(look, { timeout: 120_000 })
}

/** The server's pid, once it is up. The process is killed after the test. */
async function serverOf({ stdout }: { stdout: Readable }): Promise<number> {
  const server = await new Promise<number>((resolve) => {
    stdout.on('data', (chunk) => {
      const pid = /^up (\d+)$/m.exec(String(chunk))?.[1]
      if (pid !== undefined) resolve(Number(pid))
    })
  })
  onTestFinished(() => void (isAlive(server) && process.kill(server, 'SIGKILL')))
  return server
}

function pidIn(line: string): number {
  return Number(line.split(' ')[1])
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
