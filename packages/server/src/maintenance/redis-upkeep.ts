import { setTimeout } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { withRedis } from '#backups/redis/redis-server.ts'
import type { JobControl } from '#jobs/job.ts'

/** Keys of ours begin so; a flush takes no others unless it is told to. */
export const OUR_PREFIX = 'binnacle:'

export interface FlushAsked {
  allKeys: boolean
  dryRun: boolean
}

export interface Flushed {
  keys: number
  others: number
  bytesBefore: number
  bytesAfter: number
}

const SCAN_COUNT = 500
const LOOK_EVERY_MS = 50

export function flushRedis(
  url: string,
  { allKeys, dryRun }: FlushAsked,
  control: JobControl,
): Promise<Flushed> {
  return withRedis(url, async (redis) => {
    const bytesBefore = await memoryOf(redis)
    const all = await redis.dbsize()
    const keys = allKeys ? all : await removeOurs(redis, dryRun, control)
    if (allKeys && !dryRun) await flushBeside(redis, control)
    return { keys, others: all - keys, bytesBefore, bytesAfter: await memoryOf(redis) }
  })
}

/** Others are served while the memory is freed, which is waited for, since how much it was is told. */
async function flushBeside(redis: Redis, { signal }: JobControl): Promise<void> {
  await redis.flushdb('ASYNC')
  while (/^lazyfree_pending_objects:[1-9]/m.test(await redis.info('memory'))) {
    await setTimeout(LOOK_EVERY_MS, undefined, { signal })
  }
}

async function removeOurs(redis: Redis, dryRun: boolean, { signal }: JobControl): Promise<number> {
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

/** What the process holds of the system's memory, which is more than its keys take. */
export interface Purged {
  bytesBefore: number
  bytesAfter: number
}

/** Redis looks at its own memory ten times a second, so what it gave back shows a little later, if anything did. */
const LOOKS = 10

/** Gives memory that is no longer needed back to the system. */
export function purgeRedis(url: string, { signal }: JobControl): Promise<Purged> {
  return withRedis(url, async (redis) => {
    const bytesBefore = await residentOf(redis)
    await redis.memory('PURGE')
    let bytesAfter = bytesBefore
    for (let look = 0; look < LOOKS && bytesAfter >= bytesBefore; look++) {
      await setTimeout(LOOK_EVERY_MS, undefined, { signal })
      bytesAfter = await residentOf(redis)
    }
    return { bytesBefore, bytesAfter }
  })
}

const TOLD = [
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

/** What the server tells about itself, in its own words, numbers as numbers. */
export function readRedisStats(url: string): Promise<Record<string, unknown>> {
  return withRedis(url, async (redis) => {
    const told = new Map(
      (await redis.info())
        .split(/\r?\n/)
        .filter((line) => line.includes(':'))
        .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)] as const),
    )
    const figures = TOLD.flatMap((name) => {
      const value = told.get(name)
      return value === undefined ? [] : [[name, /^\d+$/.test(value) ? Number(value) : value] as const]
    })
    return { ...Object.fromEntries(figures), keys: await redis.dbsize() }
  })
}

async function memoryOf(redis: Redis): Promise<number> {
  return Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1] ?? 0)
}

async function residentOf(redis: Redis): Promise<number> {
  return Number(/^used_memory_rss:(\d+)/m.exec(await redis.info('memory'))?.[1] ?? 0)
}
