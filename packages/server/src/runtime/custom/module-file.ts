import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const NAME = /^[\w-][\w.-]{0,99}\.(ts|mts|js|mjs)$/

/**
 * Returns what a module's name would have to be, or null when there is such a module. The permission model follows
 * links wherever they lead, so a folder with one in it is not used at all.
 */
export function demandModule(folder: string, name: string): string | null {
  if (!NAME.test(name)) {
    return 'must be the name of a .ts or .js file in the folder strategies of the data folder, such as example.ts'
  }
  // Node reads it as any name at all, in what a process may read.
  if (folder.includes('*')) return 'cannot be run from a data folder with * in its path'
  const kind = lstatSync(join(folder, name), { throwIfNoEntry: false })
  if (kind === undefined) return `must name a file that is there; the folder strategies has ${listed(folder)}`
  if (!kind.isFile()) return 'must name a plain file, not a folder or a link'
  const link = readdirSync(folder, { withFileTypes: true, recursive: true }).find((entry) =>
    entry.isSymbolicLink(),
  )
  return link === undefined ? null : `must be in a folder without links; ${link.name} is one`
}

/** Returns a short print of all that a module could be made of, so that a run can be told from one before an edit. */
export function printOfModules(folder: string): string {
  const print = createHash('sha256')
  const files = readdirSync(folder).filter((name) => NAME.test(name) || name.endsWith('.json'))
  for (const name of files.sort()) {
    const file = join(folder, name)
    if (lstatSync(file).isFile()) print.update(`${name}\n`).update(readFileSync(file))
  }
  return print.digest('hex').slice(0, 12)
}

const LISTED_AT_MOST = 10

function listed(folder: string): string {
  const folderKind = lstatSync(folder, { throwIfNoEntry: false })
  const names = folderKind?.isDirectory() ? readdirSync(folder).filter((name) => NAME.test(name)) : []
  if (names.length === 0) return 'none'
  return names.length > LISTED_AT_MOST ? `${names.slice(0, LISTED_AT_MOST).join(', ')} …` : names.join(', ')
}
