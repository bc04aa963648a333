import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import type { BadRow, DataSetMapping } from '@binnacle/contract'
import { type InstrumentId, idFrom, standardInstruments } from '@binnacle/engine'
import { columnsOfBars } from '#trading/catalog/columns.ts'
import { BarCollector } from './bar-collector.ts'
import type { BarPlan } from './bar-plan.ts'
import { type DataSetFiles, openDataSetFiles, periodOf, type SetSummary } from './data-set-files.ts'
import { readRows } from './row-reader.ts'

/** An import on its own thread: reads the upload, writes bars to a staging folder and then adds them to the data set. */

export interface ImportOptions {
  /** The folder of all data sets. */
  folder: string
  file: string
  name: string
  /** The name of the staging folder. */
  staging: string
  instrument: string
  mapping: DataSetMapping
  columns: readonly string[]
  plan: BarPlan
  maxBadRows: number
  dryRun: boolean
}

export interface ImportOutcome {
  rows: number
  bars: number
  badRows: number
  bad: BadRow[]
  duplicates: number
  rounded: number
  /** Of the upload alone; null without a valid row. */
  imported: SetSummary | null
  /** Of the data set afterwards; null when nothing was stored. */
  stored: SetSummary | null
}

export type FromImport =
  | { kind: 'progress'; fraction: number; rows: number; badRows: number }
  | { kind: 'done'; outcome: ImportOutcome }
  | { kind: 'stopped' }

const PROGRESS_EVERY_MS = 200
const MERGE_AFTER = 0.95

if (parentPort === null) throw new Error('An import runs in a worker thread')
const port = parentPort
// The host starts this file with exactly these options.
const options = workerData as ImportOptions
const { folder, staging, name, plan } = options
const instruments = standardInstruments()
const id = idFrom<InstrumentId>(options.instrument)
let isStopped = false
port.once('message', () => {
  isStopped = true
})

const files = await openDataSetFiles(folder, instruments)
const outcome = await run(files).finally(() => {
  files.close()
  rmSync(join(folder, staging), { recursive: true, force: true })
})
port.postMessage(outcome === null ? { kind: 'stopped' } : { kind: 'done', outcome })
port.close()

async function run(files: DataSetFiles): Promise<ImportOutcome | null> {
  const collector = new BarCollector({ ...options, instrument: instruments.get(id) })
  if (!(await collect(collector))) return null
  const imported = await files.summary(staging, id, plan.interval)
  const stored = options.dryRun || imported === null ? null : await store(files, imported)
  const { rows, badRows, bad, duplicates, rounded } = collector
  return { rows, bars: imported?.bars ?? 0, badRows, bad, duplicates, rounded, imported, stored }
}

/** Returns whether it came to the end of the file. */
async function collect(collector: BarCollector): Promise<boolean> {
  let fraction = 0
  let reportedAt = 0
  const write = async (hasEnded: boolean) => {
    const bars = collector.take(hasEnded)
    if (bars.length > 0) await files.write(staging, columnsOfBars(id, plan.interval, bars))
  }
  const onProgress = (read: number) => {
    fraction = read
  }
  for await (const rows of readRows(options.file, { hasHeader: options.mapping.has_header, onProgress })) {
    if (isStopped) return false
    for (const row of rows) collector.add(row)
    if (collector.isFull) await write(false)
    if (performance.now() - reportedAt < PROGRESS_EVERY_MS) continue
    reportedAt = performance.now()
    const { rows: read, badRows } = collector
    port.postMessage({ kind: 'progress', fraction: fraction * MERGE_AFTER, rows: read, badRows })
    // Lets a stop arrive: reading from memory never yields to messages.
    await new Promise((resolve) => setImmediate(resolve))
  }
  await write(true)
  return !isStopped
}

/** A first import of an instrument is renamed into its data set as a whole; a later one joins the bars that are there. */
async function store(files: DataSetFiles, imported: SetSummary): Promise<SetSummary | null> {
  const home = join(folder, name, 'bars', id)
  if (existsSync(home)) {
    await files.write(name, await files.read(staging, periodOf(id, plan.interval, imported)))
  } else {
    mkdirSync(join(folder, name, 'bars'), { recursive: true, mode: 0o700 })
    renameSync(join(folder, staging, 'bars', id), home)
  }
  return files.summary(name, id, plan.interval)
}
