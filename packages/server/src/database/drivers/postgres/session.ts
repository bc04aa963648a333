import { setTimeout as later } from 'node:timers/promises'
import pg, { type PoolClient } from 'pg'
import { StoreRefusal } from '../store-refusal.ts'
import { type ConnectionOptions, unreachable } from './connection-options.ts'
import { refusalOf } from './refusals.ts'

export interface Work {
  access: 'READ ONLY' | 'READ WRITE'
  /** Whether a person's statement runs in it, after which the session is made as new. */
  isForeign: boolean
  /** The server ends a statement by itself after this; 0 for never. */
  timeLimitMs: number
}

/** The connections to one server: few, opened when needed, closed when idle. */
export interface Session {
  /** Begins a transaction. When the signal is aborted, whatever the server does in it ends as well. */
  enter(work: Work, signal: AbortSignal): Promise<Visit>
  close(): Promise<void>
}

/** A transaction under way. Whoever entered must leave, once. */
export interface Visit {
  readonly client: PoolClient
  /** Commits what was written, and resolves or rejects as the work shall be answered. */
  succeed(): Promise<void>
  /** Undoes it and throws why, told as a refusal where it is one. */
  fail(failure: unknown): Promise<never>
  /** Ends it where nothing is to be kept or told; a second time it does nothing. */
  leave(): Promise<void>
}

/** Does work in a transaction of its own. */
export async function transact<Result>(
  session: Session,
  work: Work,
  signal: AbortSignal,
  act: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const visit = await session.enter(work, signal)
  try {
    const result = await act(visit.client)
    await visit.succeed()
    return result
  } catch (failure) {
    return visit.fail(failure)
  }
}

const MOST_CONNECTIONS = 4
const IDLE_TIMEOUT_MS = 30_000
/** How long a cancelled statement may take to give up before its session is ended altogether. */
const PATIENCE_MS = 300

export function openSession(options: ConnectionOptions): Session {
  let pool: pg.Pool | undefined
  return {
    async enter(work, signal) {
      signal.throwIfAborted()
      pool ??= openPool(options)
      const client = await connect(pool, options, signal)
      const stop = stopWhenAborted(client, options, signal)
      const visit = createVisit({ client, work, stop, signal, options })
      await client.query(beginningOf(work)).catch((failure) => visit.fail(failure))
      return visit
    },
    async close() {
      const closing = pool
      pool = undefined
      await closing?.end()
    },
  }
}

interface Entered {
  client: PoolClient
  work: Work
  stop: ReturnType<typeof stopWhenAborted>
  signal: AbortSignal
  options: ConnectionOptions
}

function createVisit({ client, work, stop, signal, options }: Entered): Visit {
  let hasLeft = false
  const leaveOnce = async (isClean: boolean) => {
    if (hasLeft) return
    hasLeft = true
    const isStopped = await stop.ended()
    await leave(client, work, isStopped || !isClean)
  }
  return {
    client,
    async succeed() {
      if (work.access === 'READ WRITE' && !signal.aborted) await client.query('COMMIT')
      else signal.throwIfAborted()
      await leaveOnce(true)
    },
    leave: () => leaveOnce(true),
    async fail(failure) {
      // What the server itself says leaves a usable session; a broken socket does not.
      await leaveOnce(failure instanceof pg.DatabaseError || failure instanceof StoreRefusal)
      signal.throwIfAborted()
      throw refusalOf(failure, options)
    },
  }
}

function openPool({ config }: ConnectionOptions): pg.Pool {
  const pool = new pg.Pool({
    ...config,
    max: MOST_CONNECTIONS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    allowExitOnIdle: true,
  })
  // A server that goes away ends its sessions; whoever uses one is told by the statement that fails.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

async function connect(pool: pg.Pool, options: ConnectionOptions, signal: AbortSignal): Promise<PoolClient> {
  const isFull = pool.totalCount >= MOST_CONNECTIONS && pool.idleCount === 0
  const connecting = pool.connect()
  const aborted = untilAborted(signal)
  try {
    return await Promise.race([connecting, aborted.promise])
  } catch (failure) {
    connecting.then(
      (client) => client.release(),
      () => undefined,
    )
    signal.throwIfAborted()
    if (isFull && failure instanceof Error && failure.message.includes('timeout')) throw allBusy(options)
    throw unreachable(failure, options)
  } finally {
    aborted.forget()
  }
}

function allBusy({ address }: ConnectionOptions): StoreRefusal {
  const sentence = `All ${MOST_CONNECTIONS} connections to ${address} are busy with other statements. Cancel one, or wait.`
  return new StoreRefusal('store.unreachable', sentence)
}

function untilAborted(signal: AbortSignal) {
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  return { promise, forget: () => signal.removeEventListener('abort', onAbort) }
}

function beginningOf({ access, timeLimitMs }: Work): string {
  return [
    `BEGIN TRANSACTION ${access}`,
    `SET LOCAL statement_timeout = ${Math.ceil(timeLimitMs)}`,
    'SET LOCAL idle_in_transaction_session_timeout = 600000',
    // If we die, the server notices while it works, not only when it has something to send.
    `SELECT set_config('client_connection_check_interval', '500', true)
     WHERE current_setting('server_version_num')::int >= 140000`,
  ].join(';')
}

/** Gives the client back. A transaction that was not committed is undone, and a doubtful session is thrown away. */
async function leave(client: PoolClient, { isForeign }: Work, isDoubtful: boolean): Promise<void> {
  if (isDoubtful) return client.release(true)
  try {
    if (client.getTransactionStatus() !== 'I') await client.query('ROLLBACK')
    // Settings, locks and prepared statements that a function has left behind end here.
    if (isForeign) await client.query('DISCARD ALL')
    client.release()
  } catch {
    client.release(true)
  }
}

/** Ends what the server does for this client once the signal is aborted. */
function stopWhenAborted(client: PoolClient, options: ConnectionOptions, signal: AbortSignal) {
  const { promise: workEnded, resolve: endWork } = Promise.withResolvers<void>()
  let stopping: Promise<void> | undefined
  const onAbort = () => {
    stopping = stopBackend(client, options, workEnded)
  }
  signal.addEventListener('abort', onAbort)
  return {
    /** Resolves, once nothing is under way any more, with whether the work was stopped. */
    async ended(): Promise<boolean> {
      signal.removeEventListener('abort', onAbort)
      endWork()
      await stopping
      return stopping !== undefined
    },
  }
}

async function stopBackend(
  client: PoolClient,
  { config }: ConnectionOptions,
  ended: Promise<void>,
): Promise<void> {
  const pid: unknown = Reflect.get(client, 'processID')
  const other = new pg.Client(config)
  other.on('error', () => undefined)
  try {
    await other.connect()
    await other.query('SELECT pg_cancel_backend($1)', [pid])
    const isEnded = await Promise.race([ended.then(() => true), later(PATIENCE_MS, false, { ref: false })])
    if (!isEnded) await other.query('SELECT pg_terminate_backend($1)', [pid])
  } catch {
    // No further connection is to be had: without its socket the server notices by itself.
    client.connection.stream.destroy()
  } finally {
    await other.end().catch(() => undefined)
  }
}
