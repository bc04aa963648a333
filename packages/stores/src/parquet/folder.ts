import { type Dirent, readdirSync, statSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import type { ConnectionConfig, FolderAccess } from '#driver.ts'
import { locateFile } from '#file-location.ts'

/** The real path of a Parquet connection's folder, or of its one file. */
export function parquetFolderOf(config: ConnectionConfig, access: FolderAccess): string {
  return locateFile(config, access, { schemes: ['parquet:', 'file:'] })
}

/** Files that form one table. */
export interface ParquetTable {
  name: string
  files: string[]
}

const MAX_FILES = 20_000

/**
 * The tables of a folder: each file in it, and each subfolder with files. Links are skipped, because they may lead
 * outside.
 */
export function findTables(path: string): ParquetTable[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return []
  if (found.isFile()) return [{ name: basename(path), files: [path] }]
  const tables = new Map<string, string[]>()
  for (const file of parquetFiles(path)) {
    const segments = relative(path, file).split(sep)
    const name = segments.length === 1 ? segments.join() : segments.slice(0, -1).join('/')
    tables.set(name, [...(tables.get(name) ?? []), file])
  }
  return [...tables].map(([name, files]) => ({ name, files }))
}

/** Not Node's recursive readdir, which follows links to folders. */
function parquetFiles(folder: string): string[] {
  const found: string[] = []
  const folders = [folder]
  for (let next = folders.pop(); next !== undefined && found.length < MAX_FILES; next = folders.pop()) {
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
