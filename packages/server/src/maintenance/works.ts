import type { Act } from '#audit/act.ts'
import type { RoundReport, Rounds } from '#backups/rounds.ts'
import { type JobControl, JobFailure, Unreached } from '#jobs/job.ts'
import { cleanParquet } from './parquet-upkeep.ts'
import { optimisePostgres } from './postgres-upkeep.ts'
import { flushRedis, OUR_PREFIX, type Purged, purgeRedis } from './redis-upkeep.ts'
import { sizeText } from './size-text.ts'
import type { KeptStore } from './stores.ts'

/** As far back as the engine ever reads. */
const KEEP_DAYS = 400
const DAY_MS = 24 * 60 * 60 * 1000

export interface CleanOptions {
  dryRun: boolean
  allKeys: boolean
}

/** Each does its work and tells it in a sentence for the person. */
export async function backUpStores(
  rounds: Rounds,
  act: Act,
  stores: readonly KeptStore[],
  control: JobControl,
): Promise<string> {
  const report = await rounds.backUp(act, stores, control)
  refuseFailures(report)
  const bytes = report.done.reduce((sum, done) => sum + done.bytes, 0)
  const [only] = report.done
  if (report.done.length === 1 && only !== undefined) {
    return `${only.connection} is backed up: ${sizeText(bytes)}, as backup ${only.backup}`
  }
  return `${report.done.length} stores are backed up: ${sizeText(bytes)}`
}

export async function optimiseStore({ name, source }: KeptStore, control: JobControl): Promise<string> {
  if (source.type === 'postgresql') {
    const { tables, bytesBefore, bytesAfter } = await optimisePostgres(source.url, control)
    return `${name}: ${tables} tables are optimised, ${sizeText(bytesBefore)} before and ${sizeText(bytesAfter)} after`
  }
  if (source.type === 'redis') {
    return tellPurge(name, await purgeRedis(source.url, control))
  }
  return `${name}: files need no optimising`
}

/** How much memory went back to the system, if any did. */
export function tellPurge(name: string, { bytesBefore, bytesAfter }: Purged): string {
  if (bytesAfter >= bytesBefore)
    return `${name}: no memory was free to be given back, it holds ${sizeText(bytesAfter)}`
  const given = sizeText(bytesBefore - bytesAfter)
  return `${name}: ${given} of memory is given back, ${sizeText(bytesBefore)} before and ${sizeText(bytesAfter)} after`
}

export async function cleanStore(
  { name, source }: KeptStore,
  options: CleanOptions,
  control: JobControl,
): Promise<string> {
  if (source.type === 'redis') return flush(name, source.url, options, control)
  if (source.type === 'parquet') return removeOld(name, source.folder, options, control)
  return `${name}: there is nothing to clean`
}

async function flush(name: string, url: string, options: CleanOptions, control: JobControl): Promise<string> {
  const { keys, others } = await flushRedis(url, options, control)
  const which = options.allKeys ? 'keys' : `keys under ${OUR_PREFIX}`
  return `${name}: ${keys} ${which} ${options.dryRun ? 'would go' : 'are gone'}, ${others} others stay`
}

async function removeOld(
  name: string,
  folder: string,
  { dryRun }: CleanOptions,
  control: JobControl,
): Promise<string> {
  const before = new Date(Date.now() - KEEP_DAYS * DAY_MS)
  const { files, bytes } = await cleanParquet(folder, { before, dryRun }, control)
  if (files === 0) return `${name}: nothing is older than ${KEEP_DAYS} days`
  return `${name}: ${files} files of ${sizeText(bytes)} ${dryRun ? 'would go' : 'are gone'}`
}

function refuseFailures({ done, failed }: RoundReport): void {
  if (failed.length === 0) return
  const told = failed.map(({ connection, error }) => `${connection}: ${error}`).join(' ')
  const rest = done.length === 0 ? '' : ` The other ${done.length} are backed up.`
  throw new (failed.every(({ isUnreached }) => isUnreached) ? Unreached : JobFailure)(told + rest)
}
