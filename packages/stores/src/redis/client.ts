import type { Redis } from 'ioredis'
import { ANSWER_TIMEOUT_MS, type AnswerLimit, JobFailure, noAnswer } from '#job-control.ts'
import { StoreRefusal } from '#store-refusal.ts'
import { parseRedisAddress } from './connection-options.ts'

/** Runs work on its own connection, without retries. */
export async function withRedis<Result>(
  url: string,
  work: (redis: Redis) => Promise<Result>,
  limit: AnswerLimit = {},
): Promise<Result> {
  const { Redis: Client } = await import('ioredis')
  const { options, database } = checkedAddress(url)
  const { host = '', port = 6379, username, password, tls } = options
  // Only what was checked: the library reads further options from the query of an address.
  const redis = new Client({
    host,
    port,
    db: database,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls !== undefined && { tls }),
    lazyConnect: true,
    connectTimeout: ANSWER_TIMEOUT_MS,
    ...(limit.answerMs !== undefined && { commandTimeout: limit.answerMs }),
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: () => null,
  })
  // The cause arrives as an event; connect() itself only rejects with 'closed'.
  let cause: Error | undefined
  redis.on('error', (fault: Error) => {
    cause ??= fault
  })
  await redis.connect().catch((fault: Error) => {
    if (isTooLate(cause)) throw noAnswer('Redis', limit)
    throw new JobFailure(`Redis cannot be reached: ${reasonOf(cause ?? fault, redis)}.`, {
      isUnreachable: true,
    })
  })
  try {
    return await work(redis)
  } catch (fault) {
    throw isTooLate(fault) ? noAnswer('Redis', limit) : fault
  } finally {
    redis.disconnect()
  }
}

/** The library has no code for it, and names it as the reason of a failed connection. */
function isTooLate(fault: unknown): boolean {
  return fault instanceof Error && fault.message.endsWith('Command timed out')
}

function checkedAddress(url: string) {
  try {
    return parseRedisAddress({ connectionString: url, databaseName: '' })
  } catch (refusal) {
    if (!(refusal instanceof StoreRefusal)) throw refusal
    throw new JobFailure(refusal.message)
  }
}

function reasonOf(fault: Error, { options: { host, port } }: Redis): string {
  const { code, message } = Object(fault instanceof AggregateError ? fault.errors[0] : fault)
  const at = `${host}:${port}`
  if (code === 'ECONNREFUSED') return `no server is listening at ${at}`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `host not found: ${at}`
  if (/WRONGPASS|invalid password/i.test(message)) return `wrong user or password at ${at}`
  if (/NOAUTH/i.test(message)) return `${at} requires a password`
  return `${at} says: ${String(message || code).replace(/\.$/, '')}`
}

/** The database of the address. */
export function databaseOf({ options }: Redis): number {
  return options.db ?? 0
}

/** Marks a staging database, so that an interrupted restore is recognised. */
export const STAGING_MARK = 'binnacle:restoring'

export interface Keyspace {
  /** Databases that hold nothing, the highest number first. */
  empty: number[]
  /** Databases that an interrupted restore left. */
  staging: number[]
}

export async function readKeyspace(redis: Redis): Promise<Keyspace> {
  const keyspaceInfo = await redis.info('keyspace')
  const filled = [...keyspaceInfo.matchAll(/^db(\d+):/gm)].map(([, number]) => Number(number))
  const staging: number[] = []
  for (const database of filled) {
    await redis.select(database)
    if ((await redis.exists(STAGING_MARK)) === 1) staging.push(database)
  }
  await redis.select(databaseOf(redis))
  const all = Array.from({ length: await countDatabases(redis) }, (_, database) => database)
  return { empty: all.filter((database) => !filled.includes(database)).reverse(), staging }
}

const DEFAULT_DATABASES = 16

async function countDatabases(redis: Redis): Promise<number> {
  const databasesReply = await redis.config('GET', 'databases').catch(() => [])
  return Number(Array.isArray(databasesReply) ? (databasesReply[1] ?? DEFAULT_DATABASES) : DEFAULT_DATABASES)
}

/** The server's clock, which decides when keys expire. */
export async function clockOf(redis: Redis): Promise<number> {
  const [seconds, microseconds] = await redis.time()
  return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000)
}
