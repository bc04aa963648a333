import { randomUUID } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { BAD_ROWS_MAX, type DataSetMapping, type DataSetReport } from '@binnacle/contract'
import type { Instrument } from '@binnacle/engine'
import { type JobControl, JobFailure } from '@binnacle/stores'
import { STAGING } from '#storage/unfinished-imports.ts'
import type { BarPlan } from './bar-plan.ts'
import type { FromImport, ImportOptions, ImportOutcome } from './import-worker.ts'
import type { TextRow } from './row-reader.ts'
import type { Upload } from './uploads.ts'

export interface ImportRequest {
  upload_id: string
  instrument: string
  mapping: DataSetMapping
  name: string
  dry_run: boolean
  mode: 'create' | 'add'
}

/** An upload, read by a mapping. */
export interface OpenedUpload {
  readonly upload: Upload
  readonly instrument: Instrument
  readonly columns: readonly string[]
  readonly rows: readonly TextRow[]
  readonly plan: BarPlan
}

/** Imports a file on a thread of its own, and logs its bad rows. Fails if nothing could be imported. */
export async function runImport(
  folder: string,
  { name, instrument, mapping, dry_run: dryRun }: ImportRequest,
  { upload, columns, plan }: OpenedUpload,
  control: JobControl,
): Promise<Imported> {
  const staging = `${STAGING}${randomUUID()}`
  const options = {
    folder,
    file: upload.file,
    name,
    staging,
    instrument,
    mapping,
    columns,
    plan,
    dryRun,
    maxBadRows: BAD_ROWS_MAX,
  }
  const { imported, ...outcome } = await runWorker(options, control)
  for (const { line, reason } of outcome.bad) control.log(`Line ${line}: ${reason}`)
  if (imported === null) throw new JobFailure(nothingImported(outcome))
  return { ...outcome, imported }
}

type Imported = ImportOutcome & { imported: NonNullable<ImportOutcome['imported']> }

/** The report of an import. */
export function reportOf(
  { name, instrument, dry_run }: ImportRequest,
  { plan }: OpenedUpload,
  outcome: Imported,
  durationMs: number,
): DataSetReport {
  const { imported } = outcome
  return {
    name,
    instrument,
    interval: plan.interval,
    dry_run,
    rows: outcome.rows,
    bars: outcome.bars,
    bad_rows: outcome.badRows,
    bad: outcome.bad.slice(0, BAD_ROWS_MAX),
    duplicates: outcome.duplicates,
    rounded: outcome.rounded,
    from: new Date(imported.from).toISOString(),
    to: new Date(imported.to).toISOString(),
    gaps: imported.gaps,
    duration_ms: Math.round(durationMs),
  }
}

/** Never terminated: DuckDB ends the whole process with a thread that uses it. It looks for a stop between batches. */
function runWorker(workerData: ImportOptions, { signal, progress }: JobControl): Promise<ImportOutcome> {
  const worker = new Worker(new URL('./import-worker.ts', import.meta.url), {
    workerData,
    name: 'data-set-import',
  })
  const stop = () => worker.postMessage('stop')
  signal.addEventListener('abort', stop)
  return new Promise<ImportOutcome>((resolve, reject) => {
    worker.on('message', (message: FromImport) => {
      if (message.kind === 'done') resolve(message.outcome)
      else if (message.kind === 'stopped') reject(signal.reason)
      else progress(message.fraction, `${message.rows} rows read, ${message.badRows} of them bad.`)
    })
    worker.on('error', reject)
    worker.on('exit', () => reject(new Error('the import ended without an outcome')))
  }).finally(() => signal.removeEventListener('abort', stop))
}

function nothingImported({ rows, bad }: Pick<ImportOutcome, 'rows' | 'bad'>): string {
  const [first] = bad
  if (first === undefined) return 'The file has no rows.'
  return `None of the ${rows} rows could be imported. Line ${first.line}: ${first.reason}. Check the mapping.`
}

/** What an import did, for its job. */
export function sentenceOf({ rows, bars, badRows, imported }: Imported, dryRun: boolean): string {
  const did = dryRun ? 'would be stored' : 'stored'
  return `${bars} bars ${did} of ${rows} rows; ${badRows} bad rows, ${imported.gaps} gaps.`
}
