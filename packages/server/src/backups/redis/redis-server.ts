import { Redis } from 'ioredis'
import { Unreached } from '#jobs/job.ts'

/** A connection for one piece of work: it gives up rather than wait, and nothing is sent twice. */
export async function withRedis<Result>(
  url: string,
  work: (redis: Redis) => Promise<Result>,
): Promise<Result> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 10_000,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: () => null,
  })
  // What is wrong is told by an event; the call itself says only that the connection is closed.
  let cause: Error | undefined
  redis.on('error', (fault: Error) => {
    cause ??= fault
  })
  await redis.connect().catch((fault: Error) => {
    throw new Unreached(`Redis cannot be reached: ${reasonOf(cause ?? fault, redis)}.`)
  })
  try {
    return await work(redis)
  } finally {
    redis.disconnect()
  }
}

function reasonOf(fault: Error, { options: { host, port } }: Redis): string {
  const { code, message } = Object(fault instanceof AggregateError ? fault.errors[0] : fault)
  const at = `${host}:${port}`
  if (code === 'ECONNREFUSED') return `nothing listens at ${at}`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the name ${at} is not known`
  if (/WRONGPASS|invalid password/i.test(message)) return `${at} does not accept this user and password`
  if (/NOAUTH/i.test(message)) return `${at} asks for a password`
  return `${at} says: ${String(message || code).replace(/\.$/, '')}`
}

/** Only in a database that a restore stages in, so that one cut short is known by it. */
export const STAGING_MARK = 'binnacle:restoring'

export interface Keyspace {
  /** Databases with keys of others. */
  used: number[]
  /** Databases that are empty, or that an earlier restore left half filled. */
  spare: number[]
}

/** Which databases hold something. The highest empty one is the first to be offered. */
export async function readKeyspace(redis: Redis): Promise<Keyspace> {
  const told = await redis.info('keyspace')
  const filled = [...told.matchAll(/^db(\d+):/gm)].map(([, number]) => Number(number))
  const staging: number[] = []
  for (const database of filled) {
    await redis.select(database)
    if ((await redis.exists(STAGING_MARK)) === 1) staging.push(database)
  }
  const used = filled.filter((database) => !staging.includes(database))
  const all = Array.from({ length: await countDatabases(redis) }, (_, database) => database)
  return { used, spare: all.filter((database) => !used.includes(database)).reverse() }
}

const USUAL_DATABASES = 16

async function countDatabases(redis: Redis): Promise<number> {
  const told = await redis.config('GET', 'databases').catch(() => [])
  return Number(Array.isArray(told) ? (told[1] ?? USUAL_DATABASES) : USUAL_DATABASES)
}

/** The server's own clock, by which keys expire. */
export async function clockOf(redis: Redis): Promise<number> {
  const [seconds, microseconds] = await redis.time()
  return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000)
}
