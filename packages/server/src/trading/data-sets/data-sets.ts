import { randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  type DataSet,
  type DataSetGap,
  type DataSetPreview,
  type DataSetReport,
  type DataSetUpload,
  GAPS_MAX,
} from '@binnacle/contract'
import { type InstrumentId, type Instruments, type Interval, idFrom, instantFromMs } from '@binnacle/engine'
import type { JobControl } from '@binnacle/stores'
import { notFound, Refused } from '#http/problems.ts'
import { invalidFields } from '#http/validation.ts'
import type { StartedJob } from '#services/jobs/job.ts'
import type { Jobs } from '#services/jobs/job-runner.ts'
import type { AuditContext } from '#storage/audit/audit-context.ts'
import type { FreeSpace } from '#storage/disk-space.ts'
import { replaceFile } from '#storage/durable-files.ts'
import { removeUnfinishedImports, STAGING, UPLOADS } from '#storage/unfinished-imports.ts'
import type { RecordedBars } from '#trading/catalog/catalog.ts'
import { columnsOfBars } from '#trading/catalog/columns.ts'
import type { ChartSource } from '#trading/market/chart-bars.ts'
import { barsToWire } from '#trading/market.wire.ts'
import { BarCollector } from './bar-collector.ts'
import { planBars } from './bar-plan.ts'
import { openDataSetFiles, type SetSummary } from './data-set-files.ts'
import { type ImportRequest, type OpenedUpload, reportOf, runImport, sentenceOf } from './import-run.ts'
import { isDamagedSet, MANIFEST, type Manifest, namesIn, readManifest, toWire } from './manifest.ts'
import { columnsOf } from './mapping.ts'
import { damagedSentence, noteAdding, removeNote, repairSets } from './repair-sets.ts'
import { HEAD_ROWS, readHead } from './row-reader.ts'
import { SAMPLE_ROWS, type UploadBody, Uploads } from './uploads.ts'

/** Imported bars: uploads, imports as jobs, and what there is. */
export interface DataSets {
  readonly uploadLimitBytes: number
  list(): DataSet[]
  /** Stores the body of a request as an upload and says what is in it. */
  upload(body: UploadBody, filename: string): Promise<DataSetUpload | Refused>
  preview(request: PreviewRequest): Promise<DataSetPreview | Refused>
  startImport(audit: AuditContext, request: ImportRequest): Promise<StartedJob<DataSetReport> | Refused>
  gaps(name: string, instrument: string): Promise<{ gaps: DataSetGap[]; total: number } | Refused>
  delete(audit: AuditContext, name: string): Promise<StartedJob<string> | Refused>
  /** What a backtest reads of a data set. */
  recorded(name: string): RecordedSet | Refused
  /** The bars of a data set for a chart. */
  chart(name: string): ChartSource | Refused
  close(): void
}

interface RecordedSet extends RecordedBars {
  readonly interval: Interval
  /** Changes with every import. */
  readonly version: string
}

type PreviewRequest = Pick<ImportRequest, 'upload_id' | 'instrument' | 'mapping'>

export interface DataSetsOptions {
  folder: string
  instruments: Instruments
  jobs: Jobs
  uploadLimitBytes: number
  freeSpace?: FreeSpace
  now?: () => number
  /** Called for a data set that cannot be used. */
  warn?: (event: string, message: string) => void
}

export const IMPORT_KIND = 'data-set.import'

/** Opens the data sets of a folder. What an interrupted import or an old upload left behind is deleted. */
export async function openDataSets(options: DataSetsOptions): Promise<DataSets> {
  const { folder, instruments, jobs, uploadLimitBytes, freeSpace, now = Date.now, warn = () => {} } = options
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  removeUnfinishedImports(folder)
  mkdirSync(join(folder, UPLOADS), { mode: 0o700 })
  const files = await openDataSetFiles(folder, instruments)
  await repairSets(folder, files, warn)
  const uploads = new Uploads({
    folder: join(folder, UPLOADS),
    instruments,
    limitBytes: uploadLimitBytes,
    freeSpace,
    now,
  })
  const busy = new Set<string>()

  function find(name: string, field = 'path.name'): Manifest | Refused {
    const home = join(folder, name)
    return (
      readManifest(home) ??
      (isDamagedSet(home)
        ? damagedSet(name, field)
        : notFound('data set', name, { field, list: 'GET /api/market/data-sets' }))
    )
  }

  /** Reads the first rows of an upload by a mapping. */
  async function open({
    upload_id,
    instrument: id,
    mapping,
  }: PreviewRequest): Promise<OpenedUpload | Refused> {
    const upload = uploads.find(upload_id)
    if (upload instanceof Refused) return upload
    const instrument = instruments.all.find((one) => one.id === id)
    if (instrument === undefined)
      return notFound('instrument', id, { field: 'body.instrument', list: 'GET /api/instruments' })
    const head = await readHead(upload.file)
    const columns = mapping.has_header ? columnsOf(head) : columnsOf({ ...head, header: null })
    const missing = Object.entries(mapping).filter(
      ([role, column]) => ROLES.has(role) && !columns.includes(String(column)),
    )
    if (missing.length > 0) {
      const errors = missing.map(([role, column]) => ({
        field: `body.mapping.${role}`,
        message: `is '${column}', which is not a column of the file: ${columns.join(', ').slice(0, 400)}`,
      }))
      return invalidFields(errors)
    }
    const rows =
      mapping.has_header || head.header === null
        ? head.rows
        : [{ line: 1, values: head.header }, ...head.rows]
    const plan = planBars(mapping, columns, rows)
    if (typeof plan === 'string')
      return new Refused('request.invalid', plan, [{ field: 'body.mapping.interval', message: plan }])
    return { upload, instrument, columns, rows, plan }
  }

  async function importAs(
    request: ImportRequest,
    opened: OpenedUpload,
    control: JobControl,
  ): Promise<DataSetReport> {
    const { name, instrument, dry_run: dryRun } = request
    const startedAt = performance.now()
    const home = join(folder, name)
    if (!dryRun) noteAdding(home)
    const outcome = await runImport(folder, request, opened, control)
    if (outcome.stored !== null) {
      updateManifest(name, opened.plan.interval, instrument, outcome.stored)
      uploads.drop(request.upload_id)
    }
    removeNote(home)
    control.progress(1, sentenceOf(outcome, dryRun))
    return reportOf(request, opened, outcome, performance.now() - startedAt)
  }

  function updateManifest(
    name: string,
    interval: Manifest['interval'],
    instrument: string,
    summary: SetSummary,
  ): void {
    const at = new Date(now()).toISOString()
    const known = readManifest(join(folder, name))
    const instruments = { ...known?.instruments, [instrument]: summary }
    const manifest: Manifest = {
      version: 1,
      interval,
      created_at: known?.created_at ?? at,
      updated_at: at,
      instruments,
    }
    replaceFile(join(folder, name, MANIFEST), JSON.stringify(manifest))
  }

  function refusalOf({ name, instrument, mode }: ImportRequest, interval: Interval): Refused | undefined {
    if (busy.has(name)) return busySet(name)
    const known = readManifest(join(folder, name))
    if (known === undefined)
      return isDamagedSet(join(folder, name)) ? damagedSet(name, 'body.name') : undefined
    if (known.interval !== interval) {
      const sentence = `The data set '${name}' has bars of ${known.interval}, the file has bars of ${interval}. Choose another name.`
      return new Refused('request.invalid', sentence, [{ field: 'body.name', message: sentence }])
    }
    if (mode === 'add' || known.instruments[instrument] === undefined) return undefined
    return new Refused(
      'thing.exists',
      `The data set '${name}' has bars of ${instrument}. Choose another name, or add to them.`,
      [{ field: 'body.mode', message: 'must be add to join bars that are there' }],
    )
  }

  /** One change of a data set at a time, queued ones included. */
  async function exclusively<Result>(
    name: string,
    start: () => Promise<StartedJob<Result>>,
  ): Promise<StartedJob<Result>> {
    busy.add(name)
    try {
      const started = await start()
      void started.ended.then(() => busy.delete(name))
      return started
    } catch (fault) {
      busy.delete(name)
      throw fault
    }
  }

  return {
    uploadLimitBytes,
    list: () =>
      namesIn(folder).flatMap((name) => {
        const manifest = readManifest(join(folder, name))
        return manifest === undefined ? [] : [toWire(name, manifest)]
      }),
    upload: (body, filename) => uploads.add(body, filename),
    async preview(request) {
      const opened = await open(request)
      if (opened instanceof Refused) return opened
      const { instrument, rows, plan } = opened
      const collector = new BarCollector({
        ...opened,
        mapping: request.mapping,
        maxBadRows: SAMPLE_ROWS,
      })
      for (const row of rows.slice(0, HEAD_ROWS)) collector.add(row)
      const bars = columnsOfBars(instrument.id, plan.interval, collector.take(true).slice(0, SAMPLE_ROWS))
      return {
        interval: plan.interval,
        rows_examined: collector.rows,
        bars: barsToWire(bars, instrument),
        bad_rows: collector.badRows,
        bad: collector.bad,
      }
    },
    async startImport(audit, request) {
      const opened = await open(request)
      if (opened instanceof Refused) return opened
      const refusal = refusalOf(request, opened.plan.interval)
      if (refusal !== undefined) return refusal
      const act = request.dry_run ? 'Check' : 'Import'
      const title = `${act} ${basename(opened.upload.filename)} as ${request.name}`
      const work = {
        kind: IMPORT_KIND,
        title,
        isDryRun: request.dry_run,
        run: (control: JobControl) => importAs(request, opened, control),
      }
      return exclusively(request.name, () => jobs.start(audit, work))
    },
    async gaps(name, instrument) {
      const manifest = find(name)
      if (manifest instanceof Refused) return manifest
      const summary = manifest.instruments[instrument]
      if (summary === undefined)
        return notFound('instrument of this data set', instrument, {
          field: 'query.instrument',
          list: Object.keys(manifest.instruments),
        })
      const gaps = await files.gaps(name, idFrom<InstrumentId>(instrument), manifest.interval, GAPS_MAX)
      return { gaps, total: summary.gaps }
    },
    async delete(audit, name) {
      const manifest = find(name)
      if (manifest instanceof Refused && !isDamagedSet(join(folder, name))) return manifest
      if (busy.has(name)) return busySet(name)
      const run = async () => {
        // Under a name that the next start removes, so that a kill leaves no part of it.
        const gone = join(folder, `${STAGING}gone-${randomUUID()}`)
        renameSync(join(folder, name), gone)
        rmSync(gone, { recursive: true, force: true })
        return `Data set ${name} deleted.`
      }
      const work = { kind: 'data-set.delete', title: `Delete data set ${name}`, run }
      return exclusively(name, () => jobs.start(audit, work))
    },
    recorded(name) {
      const manifest = find(name, 'body.data_set')
      if (manifest instanceof Refused) return manifest
      return {
        folder: join(folder, name),
        interval: manifest.interval,
        version: manifest.updated_at,
        count: (period) => files.count(name, period),
        spanOf: async (instrument) => manifest.instruments[instrument] ?? null,
      }
    },
    chart(name) {
      const manifest = find(name, 'query.data_set')
      if (manifest instanceof Refused) return manifest
      return {
        begin: async (instrument) => manifest.instruments[instrument]?.from ?? null,
        async read({ instrument, interval, from, to }) {
          const end = Math.min(to, (manifest.instruments[instrument]?.to ?? 0) + 1)
          const period = {
            instrument,
            interval: manifest.interval,
            from: instantFromMs(from),
            to: instantFromMs(Math.max(from, end)),
          }
          return files.readLonger(name, period, interval)
        },
      }
    },
    close: () => files.close(),
  }
}

const ROLES = new Set(['time', 'open', 'high', 'low', 'close', 'volume', 'price', 'quantity'])

function damagedSet(name: string, field: string): Refused {
  return new Refused('request.invalid', damagedSentence(name), [{ field, message: 'is a damaged data set' }])
}

function busySet(name: string): Refused {
  return new Refused('data-set.busy', `The data set '${name}' is being changed. Wait until that has ended.`)
}
