import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { MS_PER_DAY, standardInstruments } from '@binnacle/engine'
import { walkBars } from '@binnacle/engine/testkit'
import { openCatalog } from '@binnacle/server'

/** A year of generated 1-minute bars and a sweep of momentum over them, by the calls of a server. */

export const FULL_SETS = 500
/** So many that the sweep is running as long as the load beside it. */
export const LASTING_SETS = 2_000
/** Fewer for a short run. */
export const SETS = Number(process.env.BINNACLE_BENCH_SETS ?? FULL_SETS)
export const DAYS = Number(process.env.BINNACLE_BENCH_DAYS ?? 365)

const FROM = Date.UTC(2024, 0, 1)
const MINUTES_PER_DAY = 1_440
const LOOK_EVERY_MS = 200

export interface SweepState {
  id: number
  status: string
  total: number
  done: number
  error: string | null
  results: { set: number; hash: string | null; error: string | null }[]
}

/** Writes the bars to where a server with this data folder finds them. */
export async function recordBars(dataFolder: string): Promise<void> {
  const catalog = await openCatalog(join(dataFolder, 'catalog'), standardInstruments())
  await catalog.writeBars(walkBars({ rows: DAYS * MINUTES_PER_DAY, seed: 7, startAt: FROM }))
  catalog.close()
}

/** 20 fast averages by 25 slow ones; fewer sets are drawn from them. */
export function sweepOf(sets: number) {
  return {
    base: {
      strategy: { type: 'momentum', config: { threshold_bps: 0, order_value: 100 } },
      instrument: 'BTCUSDT',
      interval: '1m',
      from: new Date(FROM).toISOString(),
      to: new Date(FROM + DAYS * MS_PER_DAY).toISOString(),
      initial_cash: 100_000,
      slippage_bps: 0.5,
      latency_ms: 0,
      seed: 1,
    },
    parameters: {
      fast_bars: { from: 5, to: 24, step: 1 },
      slow_bars: sets > FULL_SETS ? { from: 30, to: 129, step: 1 } : { from: 30, to: 150, step: 5 },
    },
    ...(sets < FULL_SETS && { random_sets: sets }),
    measure: 'total_return',
  } as const
}

export async function startSweep(url: string, sets = SETS): Promise<number> {
  const { id } = await call<SweepState>(url, 'POST', '/api/nautilus/sweeps', sweepOf(sets))
  return id
}

export function readSweep(url: string, id: number): Promise<SweepState> {
  return call(url, 'GET', `/api/nautilus/sweeps/${id}`)
}

export function cancelSweep(url: string, id: number): Promise<SweepState> {
  return call(url, 'POST', `/api/nautilus/sweeps/${id}/cancel`)
}

/** Looks at the sweep so often until the condition holds, and says what it saw. */
export async function watchSweep(
  url: string,
  id: number,
  isOver: (sweep: SweepState) => boolean = hasEnded,
): Promise<SweepState[]> {
  const seen: SweepState[] = []
  for (;;) {
    const sweep = await readSweep(url, id)
    seen.push(sweep)
    if (isOver(sweep)) return seen
    if (hasEnded(sweep)) throw new Error(`The sweep is ${sweep.status}: ${sweep.error}`)
    await setTimeout(LOOK_EVERY_MS)
  }
}

function hasEnded({ status }: SweepState): boolean {
  return status !== 'queued' && status !== 'running'
}

/** One hash over the reports of all sets. Throws unless each set has exactly one result. */
export function hashOf({ status, error, results }: SweepState, sets = SETS): string {
  if (status !== 'completed') throw new Error(`The sweep is ${status}: ${error}`)
  const failed = results.find(({ hash }) => hash === null)
  if (failed) throw new Error(`Set ${failed.set} has no result: ${failed.error}`)
  const numbers = results.map(({ set }) => set).toSorted((a, b) => a - b)
  if (numbers.length !== sets || numbers.some((set, nth) => set !== nth))
    throw new Error(`${numbers.length} results of ${sets} sets, ${new Set(numbers).size} of them different`)
  const hashes = results.toSorted((a, b) => a.set - b.set).map(({ hash }) => hash)
  return createHash('sha256').update(hashes.join()).digest('hex')
}

export async function call<Reply>(url: string, method: string, path: string, body?: object): Promise<Reply> {
  const reply = await fetch(`${url}${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`)
  // Our own server's reply, in the contract's shape.
  return reply.json() as Promise<Reply>
}
