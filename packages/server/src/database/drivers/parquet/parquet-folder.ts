import { type Dirent, readdirSync, statSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import type { Places, Target } from '#database/drivers/driver.ts'
import { placeOf } from '#database/drivers/file-place.ts'

/** The real path of a Parquet connection's folder, or of its one file. */
export function parquetFolderOf(target: Target, places: Places): string {
  return placeOf(target, places, { schemes: ['parquet:', 'file:'] })
}

/** Files that are read together, by the name that people see. */
export interface ParquetTable {
  name: string
  files: string[]
}

const MOST_FILES = 20_000

/**
 * The tables of a folder: each file in it, and each folder below that holds files. Links are passed over, since
 * they may lead out of it.
 */
export function findTables(place: string): ParquetTable[] {
  const found = statSync(place, { throwIfNoEntry: false })
  if (found === undefined) return []
  if (found.isFile()) return [{ name: basename(place), files: [place] }]
  const tables = new Map<string, string[]>()
  for (const file of parquetFiles(place)) {
    const way = relative(place, file).split(sep)
    const name = way.length === 1 ? way.join() : way.slice(0, -1).join('/')
    tables.set(name, [...(tables.get(name) ?? []), file])
  }
  return [...tables].map(([name, files]) => ({ name, files }))
}

/** Walked by hand: Node's own recursion follows links to folders. */
function parquetFiles(folder: string): string[] {
  const found: string[] = []
  const folders = [folder]
  for (let next = folders.pop(); next !== undefined && found.length < MOST_FILES; next = folders.pop()) {
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      if (entry.isDirectory()) folders.push(join(next, entry.name))
      if (isParquet(entry)) found.push(join(next, entry.name))
    }
  }
  return found.toSorted()
}

function isParquet(entry: Dirent): boolean {
  return entry.isFile() && /\.parquet$/i.test(entry.name) && !entry.name.startsWith('.')
}
