import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { until } from '@binnacle/stores/testkit'
import { onTestFinished } from 'vitest'
import { COMPILED } from './compiled.ts'

/**
 * Options of Node with which a process is killed right before one of its calls: the name of the call and a pattern of its
 * arguments, such as `rename \.new-`.
 */
export function killedBefore(point: string): string[] {
  const script = pathToFileURL(join(import.meta.dirname, 'kill-point.script.ts'))
  const [, call = '', pattern = ''] = /^(\w+) (.+)$/.exec(point) ?? []
  script.search = String(new URLSearchParams({ call, arguments: pattern }))
  return ['--import', script.href]
}

const MAIN = join(import.meta.dirname, '..', 'main.ts')

export interface Program {
  child: ChildProcess
  stdout(): string
  stderr(): string
  /** Resolves with the port of the trading listener when the server says that it is up. */
  isUp(): Promise<number>
  /** The exit code, or the signal that ended it. */
  ended: Promise<number | string>
}

/** The server as its own process, with nothing of our environment but what it is given. */
export function startProgram(env: Record<string, string>, nodeOptions: readonly string[] = []): Program {
  const child = spawn(process.execPath, [...nodeOptions, MAIN], {
    env: { ...COMPILED, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal)
  // Its folders go next, and must not be written to any more.
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => (said.stdout += chunk))
  child.stderr.on('data', (chunk) => (said.stderr += chunk))
  return {
    child,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    isUp: () => until(() => portIn(said.stdout, said.stderr)),
    ended,
  }
}

function portIn(stdout: string, stderr: string): number {
  const [, port] = /^Binnacle is at http:\/\/localhost:(\d+)$/m.exec(stdout) ?? []
  if (port === undefined) throw new Error(`It is not up: ${stderr}`)
  return Number(port)
}
