import type { ChainableCommander, Redis } from 'ioredis'
import { type JobControl, JobFailure } from '#job-control.ts'
import { clockOf, databaseOf, readKeyspace, STAGING_MARK } from './client.ts'
import { type KeyRecord, readKeyFile } from './key-file.ts'

const BATCH_KEYS = 200

/** The empty database that stages the keys; undefined for a backup without keys. */
type StagingDatabase = number | undefined

/**
 * Restores the keys of the connection's database into an empty one, checks their count and runs the work. Clears it
 * afterwards.
 */
export async function withStagedKeys(
  redis: Redis,
  { file, control }: { file: string; control: JobControl },
  use: (staged: StagingDatabase) => Promise<void>,
): Promise<void> {
  const own = databaseOf(redis)
  let staged: StagingDatabase
  try {
    let fill: KeyCounts = { all: 0, staying: 0 }
    for await (const records of batchesOf(readKeyFile(file), own)) {
      control.signal.throwIfAborted()
      staged ??= await takeSpare(redis, own)
      await putKeys(redis, staged, records)
      fill = add(fill, records)
    }
    if (staged !== undefined) await checkStagedCount(redis, staged, fill)
    await use(staged)
  } finally {
    if (staged !== undefined) await clearStaging(redis, staged)
  }
}

async function* batchesOf(records: AsyncIterable<KeyRecord>, database: number): AsyncGenerator<KeyRecord[]> {
  let batch: KeyRecord[] = []
  for await (const record of records) {
    if (record.database !== database) continue
    batch.push(record)
    if (batch.length < BATCH_KEYS) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Keys with a TTL may have expired since the backup, so the count is a range. */
interface KeyCounts {
  all: number
  staying: number
}

function add(fill: KeyCounts, records: readonly KeyRecord[]): KeyCounts {
  const staying = records.filter(({ expiresAt }) => expiresAt < 0).length
  return { all: fill.all + records.length, staying: fill.staying + staying }
}

async function checkStagedCount(redis: Redis, staged: number, { all, staying }: KeyCounts): Promise<void> {
  await redis.select(staged)
  const there = (await redis.dbsize()) - 1
  if (there >= staying && there <= all) return
  throw new JobFailure(`Only ${there} of ${all} keys could be restored.`)
}

/** Swaps the staged keys in and flushes the old ones in one MULTI, which is atomic. No other database is touched. */
export async function swapStagedKeys(redis: Redis, staged: StagingDatabase): Promise<void> {
  const own = databaseOf(redis)
  const change = redis.multi()
  if (staged === undefined) change.select(own).flushdb('ASYNC')
  else change.select(staged).del(STAGING_MARK).swapdb(own, staged).flushdb('ASYNC')
  await perform(change)
}

/** Empties the databases that hold staged keys: the given one, or all that a killed server left. */
export async function clearStaging(redis: Redis, only?: StagingDatabase): Promise<void> {
  const { staging } = await readKeyspace(redis)
  for (const database of staging) {
    if (only !== undefined && database !== only) continue
    await redis.select(database)
    await redis.flushdb('ASYNC')
  }
}

/** One that a killed server left is used again. */
async function takeSpare(redis: Redis, own: number): Promise<number> {
  const { empty, staging } = await readKeyspace(redis)
  const database = [...staging, ...empty].find((one) => one !== own)
  if (database === undefined) {
    throw new JobFailure(
      'A restore needs an empty Redis database to prepare the keys in, and all are in use.',
    )
  }
  await redis.select(database)
  await redis.flushdb('ASYNC')
  await redis.set(STAGING_MARK, new Date().toISOString())
  return database
}

async function putKeys(redis: Redis, spare: number, records: readonly KeyRecord[]): Promise<void> {
  await redis.select(spare)
  const now = await clockOf(redis)
  const put = redis.pipeline()
  for (const { key, value, expiresAt } of records) {
    if (expiresAt < 0) put.restore(key, 0, value)
    else if (expiresAt > now) put.restore(key, expiresAt, value, 'ABSTTL')
  }
  if (put.length > 0) await perform(put)
}

async function perform(commands: ChainableCommander): Promise<void> {
  const replies = await commands.exec().catch((fault: Error) => {
    throw new JobFailure(`Redis error: ${fault.message}.`)
  })
  const failed = replies?.find(([fault]) => fault !== null)
  if (failed?.[0]) throw new JobFailure(`Redis error: ${failed[0].message}.`)
}
