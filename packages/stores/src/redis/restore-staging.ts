import type { ChainableCommander, Redis } from 'ioredis'
import { type JobControl, JobFailure } from '#job-control.ts'
import { clockOf, readKeyspace, STAGING_MARK } from './client.ts'
import { type KeyRecord, readKeyFile } from './key-file.ts'

/** Maps each database to the empty one that stages its keys. */
type StagingDatabases = Map<number, number>

const BATCH_KEYS = 200

/** Restores the keys into empty databases, checks their count and runs the work. Clears them afterwards. */
export async function withStagedKeys(
  redis: Redis,
  { file, control }: { file: string; control: JobControl },
  use: (staging: StagingDatabases) => Promise<void>,
): Promise<void> {
  const staging: StagingDatabases = new Map()
  try {
    await stageKeys(redis, file, staging, control)
    await use(staging)
  } finally {
    await clearStagedKeys(redis, staging)
  }
}

async function stageKeys(
  redis: Redis,
  file: string,
  staging: StagingDatabases,
  { signal }: JobControl,
): Promise<void> {
  const { spare } = await readKeyspace(redis)
  const fills = new Map<number, KeyCounts>()
  for await (const batch of batchesOf(readKeyFile(file))) {
    signal.throwIfAborted()
    const { database } = batch
    const staged = staging.get(database) ?? (await takeSpare(redis, spare))
    staging.set(database, staged)
    await putKeys(redis, staged, batch.records)
    fills.set(database, add(fills.get(database), batch.records))
  }
  for (const [database, fill] of fills) await checkStagedCount(redis, staging.get(database) ?? -1, fill)
}

interface Batch {
  database: number
  records: KeyRecord[]
}

/** Consecutive keys of one database. */
async function* batchesOf(records: AsyncIterable<KeyRecord>): AsyncGenerator<Batch> {
  let batch: Batch | undefined
  for await (const record of records) {
    if (batch && (batch.records.length >= BATCH_KEYS || batch.database !== record.database)) {
      yield batch
      batch = undefined
    }
    batch ??= { database: record.database, records: [] }
    batch.records.push(record)
  }
  if (batch) yield batch
}

/** Keys with a TTL may have expired since the backup, so the count is a range. */
interface KeyCounts {
  all: number
  staying: number
}

function add(fill: KeyCounts = { all: 0, staying: 0 }, records: readonly KeyRecord[]): KeyCounts {
  const staying = records.filter(({ expiresAt }) => expiresAt < 0).length
  return { all: fill.all + records.length, staying: fill.staying + staying }
}

async function checkStagedCount(redis: Redis, staged: number, { all, staying }: KeyCounts): Promise<void> {
  await redis.select(staged)
  const there = (await redis.dbsize()) - 1
  if (there >= staying && there <= all) return
  throw new JobFailure(`Only ${there} of ${all} keys could be restored.`)
}

/** Swaps all databases and flushes the old contents in one MULTI, which is atomic. */
export async function swapStagedKeys(redis: Redis, staging: StagingDatabases): Promise<void> {
  const stagingNumbers = [...staging.values()]
  const { used } = await readKeyspace(redis)
  const change = redis.multi()
  for (const [database, spare] of staging) {
    change.select(spare).del(STAGING_MARK).swapdb(database, spare).flushdb('ASYNC')
  }
  for (const database of used) {
    if (!staging.has(database) && !stagingNumbers.includes(database)) change.select(database).flushdb('ASYNC')
  }
  await perform(change)
  staging.clear()
}

async function clearStagedKeys(redis: Redis, staging: StagingDatabases): Promise<void> {
  for (const spare of staging.values()) {
    await redis.select(spare)
    await redis.flushdb('ASYNC')
  }
}

async function takeSpare(redis: Redis, spare: number[]): Promise<number> {
  const database = spare.shift()
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
