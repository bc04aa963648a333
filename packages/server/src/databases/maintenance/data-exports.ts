import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { DataExport, ExportFormat, ExportStore } from '@binnacle/contract'
import { type Driver, type JobControl, JobFailure, StoreRefusal } from '@binnacle/stores'
import type { DatabaseService } from '#databases/database-service.ts'
import { exportRows } from '#databases/export-rows.ts'
import { sizeText } from '#databases/size-text.ts'
import { Attachment } from '#http/attachment.ts'
import { ThrownRefusal } from '#http/problems.ts'
import { packTarGz, type TarFile } from '#services/tar.ts'
import { diskRefusal, type FreeSpace } from '#storage/disk-space.ts'

/** Exports of chosen stores, each as one .tar.gz file with a file per table. */
export interface DataExports {
  stores(): Promise<ExportStore[]>
  /** Newest first. */
  list(): Promise<DataExport[]>
  write(ids: readonly string[], format: ExportFormat, control: JobControl): Promise<WrittenExport>
  /** Undefined for an unknown name. */
  open(name: string): Promise<Attachment | undefined>
}

export interface WrittenExport {
  message: string
  file: string
}

const NAME = /^binnacle-data-[\w-]+\.tar\.gz$/
/** Older ones are deleted; all are at the next start. */
const MAX_EXPORTS = 5
/** Between two looks at the free space: a full disk would halt trading. */
const CHECK_EVERY_BYTES = 16 * 1024 * 1024

interface DataExportsOptions extends Pick<DatabaseService, 'databases' | 'scratch'> {
  freeSpace?: FreeSpace | undefined
}

export function createDataExports({ databases, scratch, freeSpace }: DataExportsOptions): DataExports {
  const folder = join(scratch, 'data')

  async function list(): Promise<DataExport[]> {
    const names = (await readdir(folder).catch((): string[] => [])).filter((name) => NAME.test(name))
    const files = await Promise.all(
      names.map(async (name) => {
        const { size, mtime } = await stat(join(folder, name))
        return { name, size, created_at: mtime.toISOString() }
      }),
    )
    return files.sort((one, other) => other.name.localeCompare(one.name))
  }

  /** The rows of every table as files. A store that cannot be read is named, and the others are exported. */
  async function writeStores(
    { work, ids, format }: { work: string; ids: readonly string[]; format: ExportFormat },
    control: JobControl,
  ): Promise<StoreOutcome[]> {
    const outcomes: StoreOutcome[] = []
    for (const [index, id] of ids.entries()) {
      const progress = (fraction: number, message: string) =>
        control.progress(((index + fraction) / ids.length) * PACK_AFTER, message)
      const place = join(work, String(index))
      await mkdir(place, { mode: 0o700 })
      const outcome = await writeStore(id, { place, format }, { ...control, progress })
      control.log(outcome.failure ?? `${outcome.name}: ${outcome.files.length} tables.`)
      outcomes.push(outcome)
    }
    return outcomes
  }

  async function writeStore(id: string, to: Destination, control: JobControl): Promise<StoreOutcome> {
    let name = id
    try {
      const { driver, config } = await databases.open(id)
      name = config.name
      return { id, name, files: await writeTables(name, driver, to, control) }
    } catch (fault) {
      const reason = reasonOf(fault)
      if (reason === undefined || control.signal.aborted) throw fault
      return { id, name, files: [], failure: `${name}: ${reason}` }
    }
  }

  async function writeTables(
    store: string,
    driver: Driver,
    { place, format }: Destination,
    control: JobControl,
  ): Promise<StoredFile[]> {
    const tables = await driver.tables(control.signal)
    const files: StoredFile[] = []
    for (const [index, { name: table }] of tables.entries()) {
      control.progress(index / tables.length, `${store}: table ${index + 1} of ${tables.length}.`)
      const path = join(place, String(index))
      const { chunks } = await exportRows(
        driver,
        { table },
        { format, name: table, scratch, signal: control.signal },
      )
      await pipeline(limitByDisk(chunks, place, freeSpace), createWriteStream(path, { mode: 0o600 }), {
        signal: control.signal,
      })
      files.push({ table, path, bytes: (await stat(path)).size })
    }
    return files
  }

  return {
    list,
    async stores() {
      const connections = await databases.list()
      return connections
        .filter(({ is_active }) => is_active === 1)
        .map(({ id, name, type }) => ({ id: String(id), name, type }))
    },
    async write(ids, format, control) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const work = await mkdtemp(join(folder, '.new-'))
      try {
        const outcomes = await writeStores({ work, ids, format }, control)
        const failures = outcomes.flatMap(({ failure }) => failure ?? [])
        if (failures.length === outcomes.length) throw new JobFailure(failures.join(' '))
        control.progress(PACK_AFTER, 'Packing the files.')
        const now = new Date()
        const name = `binnacle-data-${now
          .toISOString()
          .replaceAll(/[-:]|\.\d+/g, '')
          .replace('T', '-')}.tar.gz`
        const packed = join(work, 'packed')
        await pipeline(
          // As large as the files together, which stay until it is complete.
          limitByDisk(packTarGz(tarFiles(outcomes, { format, now }), now), work, freeSpace),
          createWriteStream(packed, { mode: 0o600 }),
          { signal: control.signal },
        )
        const { size } = await stat(packed)
        await rename(packed, join(folder, name))
        for (const old of (await list()).slice(MAX_EXPORTS)) await rm(join(folder, old.name), { force: true })
        return { file: name, message: describe(outcomes, failures, size) }
      } catch (fault) {
        throw fullDiskOf(fault) ?? fault
      } finally {
        await rm(work, { recursive: true, force: true })
      }
    },
    async open(name) {
      const isKnown = (await list()).some((file) => file.name === name)
      if (!isKnown) return undefined
      return new Attachment(name, 'application/gzip', createReadStream(join(folder, name)))
    },
  }
}

/** The share of the work before the files are packed. */
const PACK_AFTER = 0.9
/** The size field of a tar header has eleven octal digits. */
const MAX_FILE_BYTES = 8 ** 11 - 1

interface Destination {
  place: string
  format: ExportFormat
}

interface StoredFile {
  table: string
  path: string
  bytes: number
}

interface StoreOutcome {
  id: string
  name: string
  files: StoredFile[]
  failure?: string
}

/** The tables, and contents.json with the table of each file: names in the archive have few characters. */
async function* tarFiles(
  outcomes: readonly StoreOutcome[],
  { format, now }: { format: ExportFormat; now: Date },
): AsyncGenerator<TarFile> {
  const contents = outcomes.map(({ id, name, files, failure }, index) => ({
    id,
    name,
    ...(failure !== undefined && { not_exported: failure }),
    tables: files.map(({ table, bytes, path }, number) => ({
      table,
      file: `${index + 1}-${plain(name, 20)}/${number + 1}-${plain(table, 50)}.${format}`,
      bytes,
      path,
    })),
  }))
  const shown = contents.map(({ tables, ...store }) => ({
    ...store,
    tables: tables.map(({ path: _, ...table }) => table),
  }))
  const text = JSON.stringify({ created_at: now.toISOString(), format, stores: shown }, null, 2)
  yield { name: 'contents.json', content: `${text}\n` }
  for (const { tables } of contents) {
    for (const { file, bytes, path, table } of tables) {
      if (bytes > MAX_FILE_BYTES) {
        throw new JobFailure(`Table ${table} is larger than 8 GB. Export it under Database Management.`)
      }
      yield { name: file, content: { bytes, chunks: createReadStream(path) } }
    }
  }
}

function plain(name: string, maxChars: number): string {
  return name.replaceAll(/[^\w.-]+/g, '_').slice(0, maxChars)
}

async function* limitByDisk(
  chunks: AsyncIterable<string | Uint8Array>,
  place: string,
  freeSpace: FreeSpace | undefined,
): AsyncGenerator<string | Uint8Array> {
  let unchecked = CHECK_EVERY_BYTES
  for await (const chunk of chunks) {
    unchecked += chunk.length
    if (unchecked >= CHECK_EVERY_BYTES) {
      unchecked = 0
      if ((await diskRefusal(place, freeSpace)) !== undefined) throw FULL_DISK
    }
    yield chunk
  }
}

const FULL_DISK = new JobFailure(
  'The disk is nearly full, so nothing was exported. Free some space and try again.',
)

function fullDiskOf(fault: unknown): JobFailure | undefined {
  const { code } = Object(fault)
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG' ? FULL_DISK : undefined
}

/** Why a store could not be read; undefined for any other fault. */
function reasonOf(fault: unknown): string | undefined {
  if (fault instanceof StoreRefusal) return fault.message
  return fault instanceof ThrownRefusal ? fault.refused.detail : undefined
}

function describe(outcomes: readonly StoreOutcome[], failures: readonly string[], bytes: number): string {
  const exported = outcomes.filter(({ failure }) => failure === undefined)
  const tables = exported.reduce((sum, { files }) => sum + files.length, 0)
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
  const done = `${count(exported.length, 'store')} exported: ${count(tables, 'table')}, ${sizeText(bytes)}`
  return failures.length === 0 ? done : `${done}. Not exported: ${failures.join(' ')}`
}
