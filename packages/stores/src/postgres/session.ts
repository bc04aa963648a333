import { setTimeout as delay } from 'node:timers/promises'
import pg, { type PoolClient } from 'pg'
import { StoreRefusal } from '#store-refusal.ts'
import { type ConnectionOptions, unreachable } from './connection-options.ts'
import type { ResultLimits } from './message-limiter.ts'
import { PRIVILEGES, type Privileges, tooPrivileged } from './privileges.ts'
import { toRefusalIfPostgres } from './refusals.ts'
import { ResultLimitClient } from './result-limit-client.ts'

export interface TransactionOptions {
  access: 'READ ONLY' | 'READ WRITE'
  /** Whether a user's statement runs in it. The session is then reset before it is reused. */
  runsUserSql: boolean
  /** Statement timeout set on the server; 0 for none. */
  timeLimitMs: number
  /** Whether a role that could reach beyond the database may be used. */
  acceptsPrivilegedRole: boolean
  /** Bounds on what the statements return. */
  limits: ResultLimits
}

/** The connection of one worker process. It opens on demand and closes when idle. */
export interface Session {
  /** Begins a transaction. Aborting the signal also cancels the statement on the server. */
  begin(options: TransactionOptions, signal: AbortSignal): Promise<Transaction>
  close(): Promise<void>
}

/** An open transaction. It must be ended exactly once, by commit, fail or end. */
export interface Transaction {
  readonly client: PoolClient
  /** Makes the rest of a READ WRITE transaction READ ONLY, so that it is rolled back at its end. */
  forbidWrites(): Promise<void>
  /** Commits and releases the client. Rejects when the signal was aborted. */
  commit(): Promise<void>
  /** Rolls back and throws the failure, as a StoreRefusal where it is one. */
  fail(failure: unknown): Promise<never>
  /** Rolls back and releases the client. A second call does nothing. */
  end(): Promise<void>
}

/** Runs the work in its own transaction. */
export async function inTransaction<Result>(
  session: Session,
  options: TransactionOptions,
  signal: AbortSignal,
  work: (client: PoolClient, transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const transaction = await session.begin(options, signal)
  try {
    const result = await work(transaction.client, transaction)
    await transaction.commit()
    return result
  } catch (failure) {
    return transaction.fail(failure)
  }
}

/** Temporary files of a statement on the server. */
const MAX_TEMPORARY_FILES = '1GB'
const IDLE_TIMEOUT_MS = 30_000
const CANCEL_GRACE_MS = 300

interface SessionOptions {
  /** Time a cancelled statement gets before its backend is terminated. */
  cancelGraceMs?: number
}

export function openSession(
  connection: ConnectionOptions,
  { cancelGraceMs = CANCEL_GRACE_MS }: SessionOptions = {},
): Session {
  let pool: pg.Pool | undefined
  // Cleared once the server refuses it; most roles lack the right.
  let mayLimitTemporaryFiles = true
  return {
    async begin(options, signal) {
      signal.throwIfAborted()
      pool ??= openPool(connection)
      const client = await connect(pool, connection, signal)
      const cancellation = cancelOnAbort(signal, (ended) =>
        cancelBackend(client, connection, { ended, cancelGraceMs }),
      )
      const transaction = createTransaction({ client, options, cancellation, signal, connection })
      if (client instanceof ResultLimitClient) client.limitResults(options.limits)
      try {
        const privileges = await beginTransaction(client, options)
        if (privileges.excess !== null && !options.acceptsPrivilegedRole) throw tooPrivileged(privileges)
        if (mayLimitTemporaryFiles) mayLimitTemporaryFiles = await limitTemporaryFiles(client)
      } catch (failure) {
        return transaction.fail(failure)
      }
      return transaction
    },
    async close() {
      const closing = pool
      pool = undefined
      await closing?.end()
    },
  }
}

interface TransactionParts {
  client: PoolClient
  options: TransactionOptions
  cancellation: ReturnType<typeof cancelOnAbort>
  signal: AbortSignal
  connection: ConnectionOptions
}

function createTransaction({
  client,
  options,
  cancellation,
  signal,
  connection,
}: TransactionParts): Transaction {
  let { access } = options
  let hasEnded = false
  const endOnce = async (isUsable: boolean) => {
    if (hasEnded) return
    hasEnded = true
    const wasCancelled = await cancellation.finish()
    await releaseClient(client, options, isUsable && !wasCancelled)
  }
  return {
    client,
    async forbidWrites() {
      if (access === 'READ WRITE') await client.query('SET TRANSACTION READ ONLY')
      access = 'READ ONLY'
    },
    async commit() {
      if (access === 'READ WRITE' && !signal.aborted) await client.query('COMMIT')
      else signal.throwIfAborted()
      await endOnce(true)
    },
    end: () => endOnce(true),
    async fail(failure) {
      // After an error of the server the session is still usable; after a socket error it is not.
      await endOnce(failure instanceof pg.DatabaseError || failure instanceof StoreRefusal)
      signal.throwIfAborted()
      throw toRefusalIfPostgres(failure, connection)
    },
  }
}

function openPool({ config }: ConnectionOptions): pg.Pool {
  const pool = new pg.Pool({
    ...config,
    Client: ResultLimitClient,
    max: 1,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    allowExitOnIdle: true,
  })
  // Without a listener a lost connection would crash the process. The statement that uses it fails by itself.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

async function connect(
  pool: pg.Pool,
  connection: ConnectionOptions,
  signal: AbortSignal,
): Promise<PoolClient> {
  const connecting = pool.connect()
  const aborted = rejectOnAbort(signal)
  try {
    return await Promise.race([connecting, aborted.promise])
  } catch (failure) {
    connecting.then(
      (client) => client.release(),
      () => undefined,
    )
    signal.throwIfAborted()
    throw unreachable(failure, connection)
  } finally {
    aborted.stopListening()
  }
}

function rejectOnAbort(signal: AbortSignal) {
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  return { promise, stopListening: () => signal.removeEventListener('abort', onAbort) }
}

/** Begins the transaction and reads the rights of the role in one round trip. */
async function beginTransaction(
  client: PoolClient,
  { access, timeLimitMs }: TransactionOptions,
): Promise<Privileges> {
  const sql = [
    `BEGIN TRANSACTION ${access}`,
    `SET LOCAL statement_timeout = ${Math.ceil(timeLimitMs)}`,
    'SET LOCAL idle_in_transaction_session_timeout = 600000',
    // The backend then notices during a statement that this process died.
    `SELECT set_config('client_connection_check_interval', '500', true)
     WHERE current_setting('server_version_num')::int >= 140000`,
    PRIVILEGES,
  ].join(';')
  // Several statements have a result each, which the library's types do not know.
  const results = (await client.query(sql)) as unknown as pg.QueryResult<Privileges>[]
  const [privileges] = results.at(-1)?.rows ?? []
  if (privileges === undefined) throw new Error('The rights of the role could not be read.')
  return privileges
}

/** Returns whether the role may set the limit. */
async function limitTemporaryFiles(client: PoolClient): Promise<boolean> {
  try {
    await client.query(`SAVEPOINT temporary_files;
      SELECT set_config('temp_file_limit', '${MAX_TEMPORARY_FILES}', true)
      WHERE current_setting('temp_file_limit') = '-1';
      RELEASE SAVEPOINT temporary_files`)
    return true
  } catch (failure) {
    if (!(failure instanceof pg.DatabaseError)) throw failure
    await client.query('ROLLBACK TO SAVEPOINT temporary_files; RELEASE SAVEPOINT temporary_files')
    return false
  }
}

/** Returns the client to the pool, rolling back what was not committed. An unusable client is destroyed. */
async function releaseClient(
  client: PoolClient,
  { runsUserSql }: TransactionOptions,
  isUsable: boolean,
): Promise<void> {
  if (!isUsable) return client.release(true)
  try {
    if (client.getTransactionStatus() !== 'I') await client.query('ROLLBACK')
    // Drops settings, locks and prepared statements that a user's function may have left.
    if (runsUserSql) await client.query('DISCARD ALL')
    client.release()
  } catch {
    client.release(true)
  }
}

/** Cancels the client's statement on the server when the signal is aborted. */
function cancelOnAbort(signal: AbortSignal, cancel: (ended: Promise<void>) => Promise<void>) {
  const { promise: workEnded, resolve: endWork } = Promise.withResolvers<void>()
  let cancelling: Promise<void> | undefined
  const onAbort = () => {
    cancelling = cancel(workEnded)
  }
  signal.addEventListener('abort', onAbort)
  return {
    /** Waits for a cancel in progress. Resolves with whether the statement was cancelled. */
    async finish(): Promise<boolean> {
      signal.removeEventListener('abort', onAbort)
      endWork()
      await cancelling
      return cancelling !== undefined
    },
  }
}

async function cancelBackend(
  client: PoolClient,
  { config }: ConnectionOptions,
  { ended, cancelGraceMs }: { ended: Promise<void>; cancelGraceMs: number },
): Promise<void> {
  const pid: unknown = Reflect.get(client, 'processID')
  const other = new pg.Client(config)
  other.on('error', () => undefined)
  try {
    await other.connect()
    await other.query('SELECT pg_cancel_backend($1)', [pid])
    const isEnded = await Promise.race([ended.then(() => true), delay(cancelGraceMs, false, { ref: false })])
    if (!isEnded) await other.query('SELECT pg_terminate_backend($1)', [pid])
  } catch {
    // No second connection is available. The server notices the closed socket by itself.
    client.connection.stream.destroy()
  } finally {
    await other.end().catch(() => undefined)
  }
}
