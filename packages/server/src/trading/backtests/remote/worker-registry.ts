import type { Redis } from 'ioredis'
import * as z from 'zod'
import { parseJson } from '#storage/parse-json.ts'
import { KEY_PREFIX } from './remote-task.ts'

/** What a worker reports of itself every other second. */
export const WorkerFigures = z.object({
  name: z.string(),
  host: z.string(),
  version: z.string(),
  /** Of the key whose runs it accepts. */
  key: z.string(),
  threads: z.number().int().nonnegative(),
  busy: z.number().int().nonnegative(),
  done: z.number().int().nonnegative(),
  runs_per_minute: z.number().nonnegative(),
  started_at: z.string(),
})
export type WorkerFigures = z.output<typeof WorkerFigures>

/** A worker that has not reported for so long is gone. */
const TTL_S = 10
const NAMES = `${KEY_PREFIX}:workers`
const EXCLUDED = `${KEY_PREFIX}:excluded`
const EXCLUDED_TTL_S = 86_400

export async function reportWorker(redis: Redis, figures: WorkerFigures): Promise<void> {
  await redis.sadd(NAMES, figures.name)
  await redis.set(keyOf(figures.name), JSON.stringify(figures), 'EX', TTL_S)
}

export async function removeWorker(redis: Redis, name: string): Promise<void> {
  await redis.srem(NAMES, name)
  await redis.del(keyOf(name))
}

/** Those that have reported lately, by name. */
export async function listWorkers(redis: Redis): Promise<WorkerFigures[]> {
  const names = (await redis.smembers(NAMES)).sort()
  if (names.length === 0) return []
  const texts = await redis.mget(names.map(keyOf))
  const gone = names.filter((_, nth) => texts[nth] === null)
  if (gone.length > 0) await redis.srem(NAMES, ...gone)
  return texts.flatMap((text) => WorkerFigures.safeParse(parseJson(text ?? '')).data ?? [])
}

/** BT-51 */
export async function excludeWorker(redis: Redis, name: string, reason: string): Promise<void> {
  await redis.hset(EXCLUDED, name, reason)
  await redis.expire(EXCLUDED, EXCLUDED_TTL_S)
}

/** The reasons by name. */
export async function excludedWorkers(redis: Redis): Promise<ReadonlyMap<string, string>> {
  return new Map(Object.entries(await redis.hgetall(EXCLUDED)))
}

export async function isExcluded(redis: Redis, name: string): Promise<boolean> {
  return (await redis.hexists(EXCLUDED, name)) === 1
}

function keyOf(name: string): string {
  return `${KEY_PREFIX}:worker:${name}`
}
