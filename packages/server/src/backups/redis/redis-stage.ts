import type { ChainableCommander, Redis } from 'ioredis'
import { type JobControl, JobFailure } from '#jobs/job.ts'
import { type KeyRecord, readKeyFile } from './key-file.ts'
import { clockOf, readKeyspace, STAGING_MARK } from './redis-server.ts'

/** Which empty database stands in for which, until they change places. */
type Stage = Map<number, number>

const BATCH = 200

/** Puts the keys into databases that are empty, where nobody looks, counts them there and lets them be used. */
export async function withStage(
  redis: Redis,
  { file, control }: { file: string; control: JobControl },
  use: (stage: Stage) => Promise<void>,
): Promise<void> {
  const stage: Stage = new Map()
  try {
    await fillStage(redis, file, stage, control)
    await use(stage)
  } finally {
    await clearStage(redis, stage)
  }
}

async function fillStage(redis: Redis, file: string, stage: Stage, { signal }: JobControl): Promise<void> {
  const { spare } = await readKeyspace(redis)
  const fills = new Map<number, Fill>()
  for await (const batch of batchesOf(readKeyFile(file))) {
    signal.throwIfAborted()
    const { database } = batch
    const staged = stage.get(database) ?? (await takeSpare(redis, spare))
    stage.set(database, staged)
    await putKeys(redis, staged, batch.records)
    fills.set(database, add(fills.get(database), batch.records))
  }
  for (const [database, fill] of fills) await refuseMissing(redis, stage.get(database) ?? -1, fill)
}

interface Batch {
  database: number
  records: KeyRecord[]
}

/** Keys of one database that follow one another. */
async function* batchesOf(records: AsyncIterable<KeyRecord>): AsyncGenerator<Batch> {
  let batch: Batch | undefined
  for await (const record of records) {
    if (batch && (batch.records.length >= BATCH || batch.database !== record.database)) {
      yield batch
      batch = undefined
    }
    batch ??= { database: record.database, records: [] }
    batch.records.push(record)
  }
  if (batch) yield batch
}

/** Keys that have expired meanwhile are rightly no longer there. */
interface Fill {
  all: number
  staying: number
}

function add(fill: Fill = { all: 0, staying: 0 }, records: readonly KeyRecord[]): Fill {
  const staying = records.filter(({ expiresAt }) => expiresAt < 0).length
  return { all: fill.all + records.length, staying: fill.staying + staying }
}

async function refuseMissing(redis: Redis, staged: number, { all, staying }: Fill): Promise<void> {
  await redis.select(staged)
  const there = (await redis.dbsize()) - 1
  if (there >= staying && there <= all) return
  throw new JobFailure(`Only ${there} of ${all} keys could be put back.`)
}

/** All databases change places at once, and what was there before is gone: one step of the server. */
export async function swapStage(redis: Redis, stage: Stage): Promise<void> {
  const staging = [...stage.values()]
  const { used } = await readKeyspace(redis)
  const change = redis.multi()
  for (const [database, spare] of stage) {
    change.select(spare).del(STAGING_MARK).swapdb(database, spare).flushdb('ASYNC')
  }
  for (const database of used) {
    if (!stage.has(database) && !staging.includes(database)) change.select(database).flushdb('ASYNC')
  }
  await perform(change)
  stage.clear()
}

async function clearStage(redis: Redis, stage: Stage): Promise<void> {
  for (const spare of stage.values()) {
    await redis.select(spare)
    await redis.flushdb('ASYNC')
  }
}

async function takeSpare(redis: Redis, spare: number[]): Promise<number> {
  const database = spare.shift()
  if (database === undefined) {
    throw new JobFailure(
      'A restore needs an empty database of the server to prepare the keys in, and there is none left.',
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
  const told = await commands.exec().catch((fault: Error) => {
    throw new JobFailure(`Redis refused: ${fault.message}.`)
  })
  const failed = told?.find(([fault]) => fault !== null)
  if (failed?.[0]) throw new JobFailure(`Redis refused: ${failed[0].message}.`)
}
