import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoreSize } from '@binnacle/contract'

export interface MeasuredSizes {
  readonly stores: readonly StoreSize[]
  readonly disk: { readonly free: number; readonly total: number } | null
}

/** What is in the data folder, by its names there. A SQLite file is counted with its write-ahead log. */
const STORES: readonly { name: string; paths: readonly string[] }[] = [
  { name: 'Journal', paths: ['journal.sqlite', 'journal-archive'] },
  // The figure that Database shows for the Parquet catalog.
  { name: 'Catalog', paths: ['catalog'] },
  { name: 'Data sets', paths: ['data-sets'] },
  { name: 'Live seconds', paths: ['seconds'] },
  { name: 'Orders', paths: ['orders.sqlite'] },
  { name: 'Admin', paths: ['admin.sqlite'] },
  { name: 'Samples', paths: ['samples.sqlite'] },
  { name: 'Logs', paths: ['logs'] },
  { name: 'Backups', paths: ['backups'] },
]

/** Measures the stores of a data folder and the disk they are on. */
export async function measureSizes(folder: string): Promise<MeasuredSizes> {
  const stores = await Promise.all(
    STORES.map(async ({ name, paths }) => {
      const files = (await Promise.all(paths.map((path) => filesOf(join(folder, path))))).flat()
      const bytes = files.reduce((sum, size) => sum + size, 0)
      return { name, detail: `${files.length} ${files.length === 1 ? 'file' : 'files'}`, bytes }
    }),
  )
  return { stores, disk: await diskOf(folder) }
}

/** The sizes of a file with its write-ahead log, or of all files of a folder. What goes away meanwhile is left out. */
async function filesOf(path: string): Promise<number[]> {
  const listed = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => undefined)
  const files = listed
    ? listed.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    : [path, `${path}-wal`]
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => [size],
        () => [],
      ),
    ),
  )
  return sizes.flat()
}

async function diskOf(folder: string): Promise<MeasuredSizes['disk']> {
  const found = await statfs(folder).catch(() => undefined)
  if (found === undefined || found.blocks === 0) return null
  return { free: found.bavail * found.bsize, total: found.blocks * found.bsize }
}
