import type pg from 'pg'
import { ANSWER_TIMEOUT_MS, type AnswerLimit, JobFailure, noAnswer } from '#job-control.ts'
import { readAddress } from './address.ts'

/** Runs work on its own connection. Errors of PostgreSQL become a JobFailure with its message. */
export async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
  limit: AnswerLimit = {},
): Promise<Result> {
  const { default: library } = await import('pg')
  const isDatabaseError = (fault: unknown): fault is pg.DatabaseError =>
    fault instanceof library.DatabaseError
  const asFailure = (fault: unknown) => {
    if (isDatabaseError(fault)) return new JobFailure(`PostgreSQL error: ${fault.message}.`)
    return isTooLate(fault) ? noAnswer('PostgreSQL', limit) : connectionFailure(fault)
  }
  const client = new library.Client(configOf(url, limit))
  // Without a listener a lost connection would crash the process.
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (fault) {
    throw fault instanceof Error && !isDatabaseError(fault) ? unreachable(fault) : asFailure(fault)
  }
  try {
    return await work(client)
  } catch (fault) {
    throw asFailure(fault)
  } finally {
    await client.end().catch(() => {})
  }
}

function connectionFailure(fault: unknown): unknown {
  const isSocketError =
    fault instanceof Error && (/^Connection terminated/.test(fault.message) || isReset(fault))
  return isSocketError ? unreachable(fault) : fault
}

/** The messages of sockets and of the library never contain the password. */
function unreachable(fault: Error): JobFailure {
  // Socket errors have a code, errors of the library have none.
  const { code = '', message } = fault as NodeJS.ErrnoException
  const reason = code === 'ECONNREFUSED' ? 'connection refused' : message || code
  return new JobFailure(`PostgreSQL cannot be reached: ${reason}.`, { isUnreachable: true })
}

/** The library has no code for it. */
function isTooLate(fault: unknown): boolean {
  return fault instanceof Error && fault.message === 'Query read timeout'
}

function isReset(fault: Error): boolean {
  return 'code' in fault && (fault.code === 'ECONNRESET' || fault.code === 'EPIPE')
}

function configOf(address: string, { answerMs }: AnswerLimit): pg.ClientConfig {
  const { host, port, user, password, database, tls } = readAddress(address)
  return {
    host,
    port,
    user,
    database,
    // A function, because with an empty string the library looks for a password elsewhere.
    password: () => password,
    ssl: tls === 'disable' ? false : { rejectUnauthorized: tls === 'verify' },
    application_name: 'binnacle-backup',
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
    ...(answerMs !== undefined && { query_timeout: answerMs }),
  }
}
