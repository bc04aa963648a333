import { setTimeout } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { ANSWER_TIMEOUT_MS, type JobControl } from '#job-control.ts'
import { withRedis } from './client.ts'

/** Prefix of Binnacle's own keys. A flush deletes only these unless allKeys is set. */
export const OUR_PREFIX = 'binnacle:'

export interface FlushOptions {
  allKeys: boolean
  dryRun: boolean
}

export interface FlushResult {
  /** The logical database of the address. */
  database: number
  keys: number
  others: number
  bytesBefore: number
  bytesAfter: number
}

const SCAN_COUNT = 500
const MEMORY_CHECK_INTERVAL_MS = 50

export function flushRedis(
  url: string,
  { allKeys, dryRun }: FlushOptions,
  control: JobControl,
): Promise<FlushResult> {
  return withRedis(url, async (redis) => {
    const bytesBefore = await memoryOf(redis)
    const all = await redis.dbsize()
    const keys = allKeys ? all : await removePrefixed(redis, dryRun, control)
    if (allKeys && !dryRun) await flushInBackground(redis, control)
    const database = redis.options.db ?? 0
    return { database, keys, others: all - keys, bytesBefore, bytesAfter: await memoryOf(redis) }
  })
}

/** Redis frees the memory in the background. Waits for the end, because the freed amount is reported. */
async function flushInBackground(redis: Redis, { signal }: JobControl): Promise<void> {
  await redis.flushdb('ASYNC')
  while (/^lazyfree_pending_objects:[1-9]/m.test(await redis.info('memory'))) {
    await setTimeout(MEMORY_CHECK_INTERVAL_MS, undefined, { signal })
  }
}

async function removePrefixed(redis: Redis, dryRun: boolean, { signal }: JobControl): Promise<number> {
  const seen = new Set<string>()
  let cursor = '0'
  do {
    signal.throwIfAborted()
    const [next, keys] = await redis.scan(cursor, 'MATCH', `${OUR_PREFIX}*`, 'COUNT', SCAN_COUNT)
    cursor = next
    for (const key of keys) seen.add(key)
    if (!dryRun && keys.length > 0) await redis.unlink(...keys)
  } while (cursor !== '0')
  return seen.size
}

/** Resident memory of the Redis process, which is more than its keys use. */
export interface PurgeResult {
  bytesBefore: number
  bytesAfter: number
}

/** Redis samples its memory ten times a second, so a change shows with a delay. */
const MAX_MEMORY_CHECKS = 10

/** Returns unused memory to the operating system. */
export function purgeRedis(url: string, { signal }: JobControl): Promise<PurgeResult> {
  return withRedis(url, async (redis) => {
    const bytesBefore = await residentOf(redis)
    await redis.memory('PURGE')
    let bytesAfter = bytesBefore
    for (let look = 0; look < MAX_MEMORY_CHECKS && bytesAfter >= bytesBefore; look++) {
      await setTimeout(MEMORY_CHECK_INTERVAL_MS, undefined, { signal })
      bytesAfter = await residentOf(redis)
    }
    return { bytesBefore, bytesAfter }
  })
}

const STATS_FIELDS = [
  'redis_version',
  'uptime_in_seconds',
  'connected_clients',
  'used_memory',
  'used_memory_human',
  'maxmemory',
  'total_commands_processed',
  'keyspace_hits',
  'keyspace_misses',
  'expired_keys',
  'evicted_keys',
]

/** Selected fields of INFO, with numeric values as numbers. */
export function readRedisStats(url: string): Promise<Record<string, unknown>> {
  return withRedis(
    url,
    async (redis) => {
      const info = new Map(
        (await redis.info())
          .split(/\r?\n/)
          .filter((line) => line.includes(':'))
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)] as const),
      )
      const figures = STATS_FIELDS.flatMap((name) => {
        const value = info.get(name)
        return value === undefined ? [] : [[name, /^\d+$/.test(value) ? Number(value) : value] as const]
      })
      return { ...Object.fromEntries(figures), keys: await redis.dbsize() }
    },
    { answerMs: ANSWER_TIMEOUT_MS },
  )
}

async function memoryOf(redis: Redis): Promise<number> {
  return Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1] ?? 0)
}

async function residentOf(redis: Redis): Promise<number> {
  return Number(/^used_memory_rss:(\d+)/m.exec(await redis.info('memory'))?.[1] ?? 0)
}
