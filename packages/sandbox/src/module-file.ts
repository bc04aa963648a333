import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const NAME = /^[\w-][\w.-]{0,99}\.(ts|mts|js|mjs)$/

/**
 * Returns what is wrong with a module's name, or null if there is such a module. The permission model follows links, so
 * a folder that contains one is refused.
 */
export function checkModule(folder: string, name: string): string | null {
  if (!NAME.test(name)) {
    return 'must be a .ts or .js file in strategies/ of the data folder, such as example.ts'
  }
  // In --allow-fs-read Node treats * as a wildcard.
  if (folder.includes('*')) return 'cannot be run from a data folder with * in its path'
  const kind = lstatSync(join(folder, name), { throwIfNoEntry: false })
  if (kind === undefined) return `No file ${name} in strategies/. Found: ${listModules(folder)}.`
  if (!kind.isFile()) return 'must be a regular file, not a folder or a link'
  const link = readdirSync(folder, { withFileTypes: true, recursive: true }).find((entry) =>
    entry.isSymbolicLink(),
  )
  return link === undefined ? null : `must be in a folder without links; ${link.name} is a link`
}

/** Hashes every file a module could import, so that runs before and after an edit can be distinguished. */
export function hashModules(folder: string): string {
  const hash = createHash('sha256')
  for (const name of filesIn(folder)) hash.update(`${name}\n`).update(readFileSync(join(folder, name)))
  return hash.digest('hex').slice(0, 12)
}

/** The text of every file a module could import, by name. */
export function readModules(folder: string): Record<string, string> {
  return Object.fromEntries(filesIn(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => NAME.test(name) || name.endsWith('.json'))
    .filter((name) => lstatSync(join(folder, name)).isFile())
    .sort()
}

const MAX_LISTED_FILES = 10

function listModules(folder: string): string {
  const folderKind = lstatSync(folder, { throwIfNoEntry: false })
  const names = folderKind?.isDirectory() ? readdirSync(folder).filter((name) => NAME.test(name)) : []
  if (names.length === 0) return 'none'
  return names.length > MAX_LISTED_FILES
    ? `${names.slice(0, MAX_LISTED_FILES).join(', ')} …`
    : names.join(', ')
}
