import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { JobFailure } from '#jobs/job.ts'
import type { Putting } from '../kind.ts'
import { checkOf, PREAMBLE } from './postgres-script.ts'
import { environmentOf } from './postgres-tools.ts'

export interface Replacement extends Pick<Putting, 'counts' | 'step'> {
  programs: { read: string; write: string }
  dump: string
  url: string
}

/**
 * Replaces all that is in the database, in one transaction of the server: the old goes, the dump comes in, its rows
 * are counted, and only then comes the COMMIT. Whatever fails or is killed before it, the server rolls back.
 */
export async function replaceContents(
  { programs, dump, url, counts, step }: Replacement,
  signal: AbortSignal,
): Promise<void> {
  await step('restore beside')
  const reader = start(programs.read, ['--single-transaction', '--file=-', dump], { LC_ALL: 'C' })
  const writer = start(programs.write, PSQL, environmentOf(url))
  const stop = () => {
    reader.child.kill('SIGKILL')
    writer.child.kill('SIGKILL')
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    await writer.send(PREAMBLE)
    const tail = await pour(reader.child.stdout, writer)
    if ((await reader.ended) !== 0) throw new JobFailure(reader.complaint())
    await step('verify beside')
    await writer.send(withoutCommit(tail))
    await writer.send(checkOf(counts))
    await step('swap')
    signal.removeEventListener('abort', stop)
    signal.throwIfAborted()
    await writer.send('COMMIT;\n')
    writer.child.stdin.end()
    if ((await writer.ended) !== 0) throw new JobFailure(`PostgreSQL refused: ${writer.complaint()}`)
  } finally {
    stop()
    signal.removeEventListener('abort', stop)
  }
}

const PSQL = ['--no-psqlrc', '--quiet', '--no-password', '--set=ON_ERROR_STOP=1', '--output=/dev/null']
const COMMIT = '\nCOMMIT;\n'
const TAIL_BYTES = 4096
const MOST_TOLD = 2000

interface Program {
  child: ChildProcess & { stdin: Writable; stdout: Readable }
  ended: Promise<number | null>
  complaint(): string
  /** Resolves when it may take more; when it has ended, that is told by its ending. */
  send(text: string | Buffer): Promise<void>
}

function start(file: string, args: string[], env: Record<string, string>): Program {
  const child = spawn(file, args, { env, stdio: 'pipe' })
  const { promise: ended, resolve } = Promise.withResolvers<number | null>()
  child.on('error', () => resolve(null))
  child.on('close', resolve)
  // One that has stopped at an error leaves a broken pipe; its own words are the better failure.
  child.stdin.on('error', () => {})
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk).slice(0, MOST_TOLD)
  })
  return {
    child,
    ended,
    complaint: () => complaint.trim() || 'It ended without a word.',
    async send(text) {
      if (!child.stdin.write(text)) await Promise.race([once(child.stdin, 'drain'), ended])
    },
  }
}

/** Hands all on but the last bytes, which it returns: they hold the COMMIT that comes too early. */
async function pour(from: Readable, to: Program): Promise<string> {
  let tail: Buffer = Buffer.alloc(0)
  for await (const chunk of from) {
    const held = Buffer.concat([tail, chunk])
    const handed = Math.max(held.length - TAIL_BYTES, 0)
    tail = held.subarray(handed)
    if (handed > 0) await to.send(held.subarray(0, handed))
  }
  return tail.toString('latin1')
}

function withoutCommit(tail: string): Buffer {
  const at = tail.lastIndexOf(COMMIT)
  if (at === -1) throw new JobFailure('The dump ends too early.')
  return Buffer.from(`${tail.slice(0, at)}\n${tail.slice(at + COMMIT.length)}`, 'latin1')
}
