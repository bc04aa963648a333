import { lstatSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type { ConnectionConfig, FolderAccess } from './driver.ts'
import { badConnectionString } from './store-refusal.ts'

/** The only part of the data folder that users' connections may access. */
export const DATABASES_FOLDER = 'databases'

interface LocationOptions {
  /** Accepted prefixes, such as 'sqlite:'. */
  schemes: readonly string[]
  /** Whether the file may be missing, if its folder exists. */
  mayBeNew?: boolean | undefined
}

/**
 * The real path of a connection string, with all links resolved. It must lie in an allowed folder, and inside the data
 * folder only in its databases folder.
 */
export function locateFile(config: ConnectionConfig, access: FolderAccess, wanted: LocationOptions): string {
  const named = pathIn(config.connectionString, wanted.schemes)
  if (config.isOwn === true) return named
  if (named === '' || named.includes('\0'))
    throw badConnectionString('Connection String must be the path of a file or folder.')
  const [base = access.dataFolder, ...others] = access.databaseFolders
  const real = realLocation(isAbsolute(named) ? named : join(base, named), wanted)
  if (real !== undefined && isAllowed(real, access)) return real
  // Missing and forbidden files get the same answer, so that it does not reveal which files exist.
  const bare =
    others.length === 0 || isAbsolute(named) ? '' : ` A name without a folder is looked up in ${base}.`
  throw badConnectionString(
    `There is no such file in the allowed folders (${access.databaseFolders.join(', ')}).${bare} Set BINNACLE_DATABASE_FOLDERS to allow more folders.`,
  )
}

function pathIn(connectionString: string, schemes: readonly string[]): string {
  const text = connectionString.trim()
  const scheme = schemes.find((prefix) => text.toLowerCase().startsWith(prefix))
  return scheme === undefined ? text : text.slice(scheme.length).replace(/^\/\/(?=\/)/, '')
}

function realLocation(path: string, wanted: LocationOptions): string | undefined {
  try {
    return realpathSync(path)
  } catch (fault) {
    // Any other error, such as a link loop or a too long name, means that nothing can be opened there.
    const isAbsent = fault instanceof Error && 'code' in fault && fault.code === 'ENOENT'
    return isAbsent && wanted.mayBeNew === true ? newFileLocation(resolve(path)) : undefined
  }
}

function newFileLocation(path: string): string | undefined {
  // A dangling link is refused: the file would be created at its target.
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return undefined
  const folder = dirname(path)
  const isInFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
  return isInFolder ? join(realpathSync(folder), basename(path)) : undefined
}

function isAllowed(real: string, { databaseFolders, dataFolder }: FolderAccess): boolean {
  const roots = databaseFolders.map(realFolder)
  const realDataFolder = realFolder(dataFolder)
  const isInDataFolder =
    isWithin(real, realDataFolder) && !isWithin(real, join(realDataFolder, DATABASES_FOLDER))
  return !isInDataFolder && roots.some((root) => isWithin(real, root))
}

function realFolder(folder: string): string {
  return statSync(folder, { throwIfNoEntry: false }) === undefined ? resolve(folder) : realpathSync(folder)
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (!way.startsWith('..') && !isAbsolute(way))
}
