import type { Readable } from 'node:stream'
import type { RestoreOptions } from '#backup/backup-driver.ts'
import { type GuardedChild, spawnGuarded } from '#backup/run-child.ts'
import { JobFailure } from '#job-control.ts'
import { PREAMBLE, rowCountCheckSql } from './script.ts'
import { environmentOf } from './tools.ts'

export interface Replacement extends Pick<RestoreOptions, 'counts' | 'step'> {
  programs: { read: string; write: string }
  dump: string
  url: string
}

/**
 * Replaces the contents of the database in one transaction: drops the old, restores the dump, compares the counts and
 * commits. After any failure or kill before the COMMIT the server rolls back.
 */
export async function replaceContents(
  { programs, dump, url, counts, step }: Replacement,
  signal: AbortSignal,
): Promise<void> {
  await step('restore beside')
  const reader = start(programs.read, ['--single-transaction', '--file=-', dump], { LC_ALL: 'C' })
  const writer = start(programs.write, PSQL, environmentOf(url))
  const stop = () => {
    reader.stop()
    writer.stop()
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    await writer.send(PREAMBLE)
    const tail = await copyAllButTail(reader.child.stdout, writer)
    if ((await reader.ended) !== 0) throw reader.refusal()
    await step('verify beside')
    await writer.send(withoutCommit(tail))
    await writer.send(rowCountCheckSql(counts))
    await step('swap')
    signal.removeEventListener('abort', stop)
    signal.throwIfAborted()
    await writer.send('COMMIT;\n')
    writer.child.stdin.end()
    if ((await writer.ended) !== 0) throw writer.refusal()
  } finally {
    stop()
    signal.removeEventListener('abort', stop)
  }
}

const PSQL = ['--no-psqlrc', '--quiet', '--no-password', '--set=ON_ERROR_STOP=1', '--output=/dev/null']
const COMMIT = '\nCOMMIT;\n'
const TAIL_BYTES = 4096
const MAX_ERROR_CHARS = 2000

interface Program extends GuardedChild {
  ended: Promise<number | null>
  refusal(): JobFailure
  /** Resolves when the program accepts more input, and rejects with its message when it has ended. */
  send(text: string | Buffer): Promise<void>
}

function start(file: string, args: string[], env: Record<string, string>): Program {
  const { child, stop } = spawnGuarded(file, args, env)
  const { promise: ended, resolve } = Promise.withResolvers<number | null>()
  child.on('error', () => resolve(null))
  child.on('close', resolve)
  // A program that stopped breaks the pipe; its own error text is the better message.
  child.stdin.on('error', () => {})
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk).slice(0, MAX_ERROR_CHARS)
  })
  const refusal = () =>
    new JobFailure(`PostgreSQL error: ${complaint.trim() || 'The program exited without a message.'}`)
  return {
    child,
    stop,
    ended,
    refusal,
    async send(text) {
      if (child.stdin.write(text)) return
      const { promise: drained, resolve: drain } = Promise.withResolvers<'drained'>()
      child.stdin.once('drain', () => drain('drained'))
      if ((await Promise.race([drained, ended])) !== 'drained') throw refusal()
    },
  }
}

/** Copies all but the last bytes and returns those, because they contain the COMMIT. */
async function copyAllButTail(from: Readable, to: Program): Promise<string> {
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
  if (at === -1) throw new JobFailure('The dump is incomplete.')
  return Buffer.from(`${tail.slice(0, at)}\n${tail.slice(at + COMMIT.length)}`, 'latin1')
}
