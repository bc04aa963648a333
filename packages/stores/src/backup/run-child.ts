import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { JobFailure } from '#job-control.ts'
import { childEnvironment } from '#worker/child-environment.ts'

export interface ChildOptions {
  args?: readonly string[]
  env?: Record<string, string>
  signal: AbortSignal
  /** Called with every line of the standard output. */
  onLine?: (line: string) => void
}

/** Runs a program without a shell. Its error output becomes the JobFailure. An abort kills it. */
export function runChild(program: string, options: ChildOptions): Promise<void> {
  const { args = [], env = {} } = options
  return run(program, options, () => spawnGuarded(program, args, env))
}

/** Runs a script in its own Node process. */
export function runScript(file: string, options: ChildOptions): Promise<void> {
  const { args = [], env = {} } = options
  return run(file, options, () => {
    const child = spawn(process.execPath, [file, ...args], { env: childEnvironment(env), stdio: 'pipe' })
    return { child, stop: () => void child.kill('SIGKILL') }
  })
}

export interface GuardedChild {
  child: ChildProcessWithoutNullStreams
  stop(): void
}

/** Starts a program that ends with this process, even when this process is killed. */
export function spawnGuarded(
  program: string,
  args: readonly string[],
  env: Record<string, string>,
): GuardedChild {
  // All three streams are pipes, which the type does not know with a channel beside them.
  const child = spawn(process.execPath, [GUARD, program, ...args], {
    env: childEnvironment(env),
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  }) as ChildProcessWithoutNullStreams
  return { child, stop: () => void (child.connected && child.disconnect()) }
}

const GUARD = fileURLToPath(new URL('./guarded-child.script.ts', import.meta.url))

async function run(
  program: string,
  { signal, onLine }: ChildOptions,
  start: () => GuardedChild,
): Promise<void> {
  signal.throwIfAborted()
  const { child, stop } = start()
  child.stdin.end()
  signal.addEventListener('abort', stop, { once: true })
  const lines = createLineSplitter(onLine)
  let complaint = ''
  child.stdout.on('data', lines.take)
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk).slice(-MAX_ERROR_CHARS)
  })
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  child.on('error', reject)
  child.on('close', resolve)
  try {
    const code = await promise
    lines.end()
    signal.throwIfAborted()
    if (code !== 0) throw new JobFailure(complaint.trim() || `${program} exited with code ${code}.`)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

const MAX_ERROR_CHARS = 2000
/** Only the beginning of a line is kept: a line of a dump may be as long as a value. */
const MAX_LINE_CHARS = 4096

interface LineSplitter {
  take(chunk: Buffer): void
  end(): void
}

function createLineSplitter(onLine: ((line: string) => void) | undefined): LineSplitter {
  let partialLine = ''
  const emit = onLine ?? (() => {})
  return {
    take(chunk) {
      const parts = chunk.toString('latin1').split('\n')
      const last = parts.pop() ?? ''
      for (const part of parts) {
        emit((partialLine + part).slice(0, MAX_LINE_CHARS))
        partialLine = ''
      }
      partialLine = (partialLine + last).slice(0, MAX_LINE_CHARS)
    },
    end() {
      if (partialLine !== '') emit(partialLine)
    },
  }
}
