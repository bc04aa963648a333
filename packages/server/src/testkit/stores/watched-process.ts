import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

export interface WatchedProcess {
  /** What it has printed so far. */
  said(): string
  /** Resolves when it has printed this; rejects with all it said when it ends before. */
  untilSays(words: string): Promise<void>
  end(): Promise<void>
}

export interface Command {
  program: string
  args: readonly string[]
  folder: string
  /** The user to run as, where the program refuses to be root. */
  user?: { uid: number; gid: number }
}

// A shell beside it reads a line: its input ends without one only when we are killed.
const BESIDE_A_WATCH = 'exec 3<&0; (read -r _ <&3 || kill -INT "$$") >/dev/null 2>&1 & exec "$0" "$@" 3<&-'

/** A program that ends with us, even when we are killed without a chance to end it. */
export function startWatched({ program, args, folder, user }: Command): WatchedProcess {
  const child = spawn('/bin/sh', ['-c', BESIDE_A_WATCH, program, ...args], {
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...user,
  })
  let text = ''
  const ended = once(child, 'exit')
  child.on('exit', () => child.stdin.end('\n'))
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
  return {
    said: () => text,
    untilSays: (words) => untilSays(child, words, () => text),
    async end() {
      child.kill('SIGINT')
      await ended
    },
  }
}

function untilSays(child: ChildProcess, words: string, said: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (said().includes(words)) resolve()
    }
    child.stdout?.on('data', look)
    child.stderr?.on('data', look)
    child.on('error', reject)
    child.on('exit', () => reject(new Error(`It ended before it was up: ${said()}`)))
    look()
  })
}
