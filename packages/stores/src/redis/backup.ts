import { join } from 'node:path'
import type { Redis } from 'ioredis'
import type { BackupDriver } from '#backup/backup-driver.ts'
import type { Counts, RedisSource } from '#backup/source.ts'
import { type JobControl, JobFailure } from '#job-control.ts'
import { clockOf, databaseOf, withRedis } from './client.ts'
import { createKeyFile, type KeyWriter, readKeyFile } from './key-file.ts'
import { clearStaging, swapStagedKeys, withStagedKeys } from './restore-staging.ts'

const KEYS = 'keys.bin'
/** Redis runs a whole pipeline before it serves other clients, so batches are small. */
const SCAN_COUNT = 50

/**
 * Redis: the DUMP value and expiry of every key in the database of the address. Keys are read one by one while others
 * may write, so each key is consistent, but the set is not one snapshot.
 */
export const redisBackup: BackupDriver<RedisSource> = {
  exists: ({ url }) => withRedis(url, async (redis) => (await redis.dbsize()) > 0),
  write: ({ url }, folder, control) =>
    withRedis(url, async (redis) => {
      const file = await createKeyFile(join(folder, KEYS))
      const database = databaseOf(redis)
      const count = await writeDatabase(redis, database, file, control)
      await file.close()
      return count > 0 ? { [nameOf(database)]: count } : {}
    }),
  verify: (folder, control) => countKeys(join(folder, KEYS), control),
  drill: ({ url }, { from }, control) =>
    withRedis(url, async (redis) => {
      const file = join(from, KEYS)
      const counts = await countKeys(file, control)
      await withStagedKeys(redis, { file, control }, async () => {})
      return counts
    }),
  restore: ({ url }, { from, counts, step, release }, control) =>
    withRedis(url, async (redis) => {
      checkDatabase(counts, nameOf(databaseOf(redis)))
      await step('restore beside')
      await withStagedKeys(redis, { file: join(from, KEYS), control }, async (staged) => {
        await release()
        await step('swap')
        await swapStagedKeys(redis, staged)
      })
    }),
  clearStaging: ({ url }) => withRedis(url, clearStaging),
}

/** A backup of version 1.0.0 has the keys of every database; only those of the connection's own are restored. */
function checkDatabase(counts: Counts, own: string): void {
  const others = Object.keys(counts).filter((name) => name !== own)
  if (others.length === 0 || own in counts) return
  throw new JobFailure(`The backup has the keys of ${others.join(', ')}, not of ${own}.`)
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
  // A scan may return a key more than once.
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
    progress(0.3, `${seen.size} keys of ${nameOf(database)} written.`)
  } while (cursor !== '0')
  return seen.size
}

/** Reads the keys that still exist. */
async function readKeys(redis: Redis, keys: readonly Buffer[]) {
  if (keys.length === 0) return []
  const now = await clockOf(redis)
  const commands = redis.pipeline()
  for (const key of keys) commands.callBuffer('DUMP', key).pttl(key)
  const replies = (await commands.exec()) ?? []
  return keys.flatMap((key, index) => {
    const value = replyOf(replies[index * 2])
    const left = Number(replyOf(replies[index * 2 + 1]))
    if (!Buffer.isBuffer(value) || left === -2) return []
    return [{ key, value, expiresAt: left < 0 ? -1 : now + left }]
  })
}

function replyOf(reply: [Error | null, unknown] | undefined): unknown {
  if (reply?.[0]) throw new JobFailure(`Redis error: ${reply[0].message}.`)
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
