import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

export interface WatchedProcess {
  /** The output so far. */
  output(): string
  /** Resolves when the output contains the words; rejects with the output when the process exits first. */
  untilPrinted(words: string): Promise<void>
  end(): Promise<void>
}

export interface Command {
  program: string
  args: readonly string[]
  folder: string
  /** The user to run as, for programs that refuse to run as root. */
  user?: { uid: number; gid: number }
}

// A shell beside it reads from our pipe, which closes without a line only when we are killed.
const EXIT_WITH_PARENT = 'exec 3<&0; (read -r _ <&3 || kill -INT "$$") >/dev/null 2>&1 & exec "$0" "$@" 3<&-'

/** Starts a program that exits with this process, even after SIGKILL. */
export function startWatched({ program, args, folder, user }: Command): WatchedProcess {
  const child = spawn('/bin/sh', ['-c', EXIT_WITH_PARENT, program, ...args], {
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
    output: () => text,
    untilPrinted: (words) => untilSays(child, words, () => text),
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
