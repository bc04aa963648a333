import { join } from 'node:path'
import type { Redis } from 'ioredis'
import { type JobControl, JobFailure } from '#jobs/job.ts'
import type { BackupKind } from '../kind.ts'
import type { Counts, RedisSource } from '../source.ts'
import { createKeyFile, type KeyWriter, readKeyFile } from './key-file.ts'
import { clockOf, readKeyspace, withRedis } from './redis-server.ts'
import { swapStage, withStage } from './redis-stage.ts'

const KEYS = 'keys.bin'
/** Of what is asked in one breath Redis answers all before it hears anybody else. */
const SCAN_COUNT = 50

/**
 * Redis: every key of every database as Redis packs it, with the moment it expires. Keys are read one after another
 * while others may write, so each is whole, but not all are of one moment.
 */
export const redisKind: BackupKind<RedisSource> = {
  exists: ({ url }) => withRedis(url, async (redis) => (await readKeyspace(redis)).used.length > 0),
  write: ({ url }, folder, control) =>
    withRedis(url, async (redis) => {
      const file = await createKeyFile(join(folder, KEYS))
      const counts: Counts = {}
      for (const database of (await readKeyspace(redis)).used) {
        const count = await writeDatabase(redis, database, file, control)
        if (count > 0) counts[nameOf(database)] = count
      }
      await file.close()
      return counts
    }),
  verify: (folder, control) => countKeys(join(folder, KEYS), control),
  drill: ({ url }, { from }, control) =>
    withRedis(url, async (redis) => {
      const file = join(from, KEYS)
      await withStage(redis, { file, control }, async () => {})
      return countKeys(file, control)
    }),
  restore: ({ url }, { from, step, release }, control) =>
    withRedis(url, async (redis) => {
      await step('restore beside')
      await withStage(redis, { file: join(from, KEYS), control }, async (stage) => {
        await release()
        await step('swap')
        await swapStage(redis, stage)
      })
    }),
}

function nameOf(database: number): string {
  return `db${database}`
}

async function writeDatabase(
  redis: Redis,
  database: number,
  file: KeyWriter,
  { signal, progress }: JobControl,
): Promise<number> {
  await redis.select(database)
  // A scan may show a key more than once.
  const seen = new Set<string>()
  let cursor = '0'
  do {
    signal.throwIfAborted()
    const [next, keys] = await redis.scanBuffer(cursor, 'COUNT', SCAN_COUNT)
    cursor = next.toString()
    const fresh = keys.filter((key) => !seen.has(key.toString('latin1')))
    for (const record of await readKeys(redis, fresh)) {
      seen.add(record.key.toString('latin1'))
      await file.write({ ...record, database })
    }
    progress(0.3, `${seen.size} keys of ${nameOf(database)} are written.`)
  } while (cursor !== '0')
  return seen.size
}

/** Those that are still there. */
async function readKeys(redis: Redis, keys: readonly Buffer[]) {
  if (keys.length === 0) return []
  const now = await clockOf(redis)
  const asked = redis.pipeline()
  for (const key of keys) asked.callBuffer('DUMP', key).pttl(key)
  const told = (await asked.exec()) ?? []
  return keys.flatMap((key, index) => {
    const value = toldIn(told[index * 2])
    const left = Number(toldIn(told[index * 2 + 1]))
    if (!Buffer.isBuffer(value) || left === -2) return []
    return [{ key, value, expiresAt: left < 0 ? -1 : now + left }]
  })
}

function toldIn(reply: [Error | null, unknown] | undefined): unknown {
  if (reply?.[0]) throw new JobFailure(`Redis refused: ${reply[0].message}.`)
  return reply?.[1]
}

async function countKeys(file: string, { signal }: JobControl): Promise<Counts> {
  const counts: Counts = {}
  for await (const { database } of readKeyFile(file)) {
    signal.throwIfAborted()
    const name = nameOf(database)
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
