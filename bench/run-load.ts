import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { median, rounded } from './figures.ts'
import type { Load, LoadResult, Turns } from './load-client.ts'

/** The clients have a process of their own, so that their work is not the server's. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const [result] = await runInTurns({ loads: [load], turns: 1 })
  if (result === undefined) throw new Error('the clients ended without a result')
  return result
}

/** The results stand in the order of the loads. */
export async function runInTurns(turns: Turns): Promise<LoadResult[]> {
  const client = join(import.meta.dirname, 'load-client.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [client, JSON.stringify(turns)])
  return JSON.parse(stdout)
}

/** A row of the table: the middle of several rounds. */
export function loadFigures(results: readonly LoadResult[]) {
  return {
    'per second': Math.round(median(results.map(({ perSecond }) => perSecond))),
    'p50 ms': rounded(median(results.map(({ p50Ms }) => p50Ms))),
    'p99 ms': rounded(median(results.map(({ p99Ms }) => p99Ms))),
  }
}
