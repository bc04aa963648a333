import { spawn } from 'node:child_process'
import { JobFailure } from '#jobs/job.ts'

export interface ChildOptions {
  args?: readonly string[]
  env?: Record<string, string>
  signal: AbortSignal
  /** Told of every line of the standard output, as it comes. */
  onLine?: (line: string) => void
}

/** Runs a program to its end, without a shell; what it complained of is the failure. Killed when told to stop. */
export async function runChild(
  program: string,
  { args = [], env = {}, signal, onLine }: ChildOptions,
): Promise<void> {
  signal.throwIfAborted()
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const stop = () => void child.kill('SIGKILL')
  signal.addEventListener('abort', stop, { once: true })
  const lines = createLines(onLine)
  let complaint = ''
  child.stdout.on('data', lines.take)
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk).slice(-MOST_TOLD)
  })
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  child.on('error', reject)
  child.on('close', resolve)
  try {
    const code = await promise
    lines.end()
    signal.throwIfAborted()
    if (code !== 0) throw new JobFailure(complaint.trim() || `${program} ended with ${code}.`)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** A script of ours in a Node of its own. */
export function runScript(file: string, options: ChildOptions): Promise<void> {
  return runChild(process.execPath, { ...options, args: [file, ...(options.args ?? [])] })
}

const MOST_TOLD = 2000
/** A line is looked at by its beginning only: one of a dump may be as long as a value. */
const LONGEST_LINE = 4096

interface Lines {
  take(chunk: Buffer): void
  end(): void
}

function createLines(onLine: ((line: string) => void) | undefined): Lines {
  let begun = ''
  const tell = onLine ?? (() => {})
  return {
    take(chunk) {
      const parts = chunk.toString('latin1').split('\n')
      const last = parts.pop() ?? ''
      for (const part of parts) {
        tell((begun + part).slice(0, LONGEST_LINE))
        begun = ''
      }
      begun = (begun + last).slice(0, LONGEST_LINE)
    },
    end() {
      if (begun !== '') tell(begun)
    },
  }
}
