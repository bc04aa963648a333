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
  /** How long the report stays in Redis; workers of earlier versions do not say it. */
  ttl_s: z.number().default(10),
})
export type WorkerFigures = z.output<typeof WorkerFigures>

/** BT-100: a worker that has not reported for so long is lost; another one takes its runs over. */
const LOST_AFTER_S = 10
/** How long the last report of a lost worker is listed. */
const TTL_S = 600
const NAMES = `${KEY_PREFIX}:workers`
const EXCLUDED = `${KEY_PREFIX}:excluded`
const EXCLUDED_TTL_S = 86_400

export async function reportWorker(redis: Redis, figures: Omit<WorkerFigures, 'ttl_s'>): Promise<void> {
  await redis.sadd(NAMES, figures.name)
  await redis.set(keyOf(figures.name), JSON.stringify({ ...figures, ttl_s: TTL_S }), 'EX', TTL_S)
}

export async function removeWorker(redis: Redis, name: string): Promise<void> {
  await redis.srem(NAMES, name)
  await redis.del(keyOf(name))
}

export interface ReportedWorker extends WorkerFigures {
  /** Seconds since the last report of a lost worker; null while it reports. */
  lost_s: number | null
}

/** Those that have reported and were not closed, by name. */
export async function listWorkers(redis: Redis): Promise<ReportedWorker[]> {
  const names = (await redis.smembers(NAMES)).sort()
  const workers: ReportedWorker[] = []
  for (const name of names) {
    // By the clock of Redis: those of the machines may differ.
    const [text, leftS] = await Promise.all([redis.get(keyOf(name)), redis.ttl(keyOf(name))])
    if (text === null) await redis.srem(NAMES, name)
    const figures = WorkerFigures.safeParse(parseJson(text ?? '')).data
    if (figures === undefined) continue
    const silentS = figures.ttl_s - leftS
    workers.push({ ...figures, lost_s: silentS > LOST_AFTER_S ? silentS : null })
  }
  return workers
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
