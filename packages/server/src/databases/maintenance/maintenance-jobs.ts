import { MS_PER_DAY } from '@binnacle/engine'
import {
  cleanParquet,
  flushRedis,
  type JobControl,
  JobFailure,
  OUR_PREFIX,
  optimisePostgres,
  type PurgeResult,
  purgeRedis,
} from '@binnacle/stores'
import type { BackupBatches } from '#databases/backups/batch.ts'
import { sizeText } from '#databases/size-text.ts'
import type { BatchReport, CleanOptions } from '#services/maintenance.ts'
import type { AuditContext } from '#storage/audit/audit-context.ts'
import type { ManagedStore } from './managed-stores.ts'

/** The engine never reads older market data. */
const KEEP_DAYS = 400

export async function backUpStores(
  batches: BackupBatches,
  audit: AuditContext,
  stores: readonly ManagedStore[],
  control: JobControl,
): Promise<string> {
  const report = await batches.backUp(audit, stores, control)
  refuseFailures(report)
  const bytes = report.done.reduce((sum, done) => sum + done.bytes, 0)
  const warnings = report.done.flatMap((done) => done.warnings).map((warning) => `. Warning: ${warning}`)
  const [only] = report.done
  if (report.done.length === 1 && only !== undefined) {
    return `${only.connection} backed up: ${sizeText(bytes)}, as backup ${only.backup}${warnings.join('')}`
  }
  return `${report.done.length} stores backed up: ${sizeText(bytes)}${warnings.join('')}`
}

export async function optimiseStore({ name, source }: ManagedStore, control: JobControl): Promise<string> {
  if (source.type === 'postgresql') {
    const { tables, bytesBefore, bytesAfter } = await optimisePostgres(source.url, control)
    return `${name}: ${tables} tables optimised, ${sizeText(bytesBefore)} before and ${sizeText(bytesAfter)} after`
  }
  if (source.type === 'redis') {
    return describePurge(name, await purgeRedis(source.url, control))
  }
  return `${name}: nothing to optimise`
}

export function describePurge(name: string, { bytesBefore, bytesAfter }: PurgeResult): string {
  if (bytesAfter >= bytesBefore) return `${name}: no memory to release, it uses ${sizeText(bytesAfter)}`
  const given = sizeText(bytesBefore - bytesAfter)
  return `${name}: ${given} of memory released, ${sizeText(bytesBefore)} before and ${sizeText(bytesAfter)} after`
}

export async function cleanStore(
  { name, source }: ManagedStore,
  options: CleanOptions,
  control: JobControl,
): Promise<string> {
  if (source.type === 'redis') return flush(name, source.url, options, control)
  if (source.type === 'parquet') return removeOld(name, source.folder, options, control)
  return `${name}: nothing to clean`
}

async function flush(name: string, url: string, options: CleanOptions, control: JobControl): Promise<string> {
  const { keys, others, database } = await flushRedis(url, options, control)
  const verb = options.dryRun ? 'deletes' : 'deleted'
  const count = (keyCount: number, noun = 'key') =>
    `${keyCount.toLocaleString('en-US')} ${noun}${keyCount === 1 ? '' : 's'}`
  if (options.allKeys) return `${name}: ${verb} all ${count(keys)} in db${database}`
  const remain = others === 1 ? 'stays' : 'stay'
  return `${name}: ${verb} ${count(keys)} with the prefix "${OUR_PREFIX}" in db${database}; ${count(others, 'other key')} ${remain}`
}

async function removeOld(
  name: string,
  folder: string,
  { dryRun }: CleanOptions,
  control: JobControl,
): Promise<string> {
  const before = new Date(Date.now() - KEEP_DAYS * MS_PER_DAY)
  const { files, bytes } = await cleanParquet(folder, { before, dryRun }, control)
  if (files === 0) return `${name}: no file is older than ${KEEP_DAYS} days`
  return `${name}: ${dryRun ? 'deletes' : 'deleted'} ${files} files (${sizeText(bytes)})`
}

function refuseFailures({ done, failed }: BatchReport): void {
  if (failed.length === 0) return
  const errors = failed.map(({ connection, error }) => `${connection}: ${error}`).join(' ')
  const rest = done.length === 0 ? '' : ` The other ${done.length} are backed up.`
  const isUnreachable = failed.every(({ isUnreached }) => isUnreached)
  throw new JobFailure(errors + rest, { isUnreachable })
}
