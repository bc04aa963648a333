import { lstatSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type { Places, Target } from './driver.ts'
import { badConnectionString } from './store-refusal.ts'

/** Of the data folder, the one part that people's connections may reach. */
export const DATABASES_FOLDER = 'databases'

interface Wanted {
  /** What a person may call it, such as 'sqlite:'. */
  schemes: readonly string[]
  /** Whether what is not there yet may be named, its folder being there. */
  mayBeNew?: boolean | undefined
}

/**
 * Where a connection string leads on the disk, every link followed. It must end in one of the allowed folders,
 * and in the data folder only where people's databases are.
 */
export function placeOf(target: Target, places: Places, wanted: Wanted): string {
  const named = pathIn(target.connectionString, wanted.schemes)
  if (target.isOwn === true) return named
  if (named === '' || named.includes('\0'))
    throw badConnectionString('Connection String must be the path of a file or folder.')
  const [base = places.dataFolder, ...others] = places.databaseFolders
  const real = realPlace(isAbsolute(named) ? named : join(base, named), wanted)
  if (real !== undefined && isAllowed(real, places)) return real
  // What is outside and what is not there get one answer, so that nobody finds out which files there are.
  const bare = others.length === 0 || isAbsolute(named) ? '' : ` A name alone is one in ${base}.`
  throw badConnectionString(
    `Connection String leads to nothing in the allowed folders (${places.databaseFolders.join(', ')}).${bare} BINNACLE_DATABASE_FOLDERS adds folders.`,
  )
}

function pathIn(connectionString: string, schemes: readonly string[]): string {
  const text = connectionString.trim()
  const scheme = schemes.find((prefix) => text.toLowerCase().startsWith(prefix))
  return scheme === undefined ? text : text.slice(scheme.length).replace(/^\/\/(?=\/)/, '')
}

function realPlace(path: string, wanted: Wanted): string | undefined {
  try {
    return realpathSync(path)
  } catch (fault) {
    // Too long, a link to itself, a file for a folder: whatever else it is, nothing can be opened or made there.
    const isAbsent = fault instanceof Error && 'code' in fault && fault.code === 'ENOENT'
    return isAbsent && wanted.mayBeNew === true ? newPlace(resolve(path)) : undefined
  }
}

function newPlace(path: string): string | undefined {
  // A link to nothing is no new file: what is made would be made where it leads.
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return undefined
  const folder = dirname(path)
  const isInFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
  return isInFolder ? join(realpathSync(folder), basename(path)) : undefined
}

function isAllowed(real: string, { databaseFolders, dataFolder }: Places): boolean {
  const roots = databaseFolders.map(realFolder)
  const ours = realFolder(dataFolder)
  const isOurs = isWithin(real, ours) && !isWithin(real, join(ours, DATABASES_FOLDER))
  return !isOurs && roots.some((root) => isWithin(real, root))
}

function realFolder(folder: string): string {
  return statSync(folder, { throwIfNoEntry: false }) === undefined ? resolve(folder) : realpathSync(folder)
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (!way.startsWith('..') && !isAbsolute(way))
}
