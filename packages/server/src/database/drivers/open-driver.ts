import type { Driver, StoreKind, Target } from './driver.ts'
import { StoreRefusal } from './store-refusal.ts'

/** Where the drivers that work on files may go. */
export interface Places {
  /** Folders, absolute, in which people may have SQLite files and Parquet folders. */
  databaseFolders: readonly string[]
  /** Ours: nothing in it is reached through a connection that a person added, allowed folders in it apart. */
  dataFolder: string
}

type OpenDriver = (target: Target, places: Places) => Driver

const DRIVERS: Partial<Record<StoreKind, OpenDriver>> = {}

/** The driver of a connection. It reaches nothing yet; what is wrong with the target itself is a StoreRefusal. */
export function openDriver(target: Target, places: Places): Driver {
  const open = DRIVERS[target.kind]
  if (open === undefined) {
    throw new StoreRefusal('store.unsupported', `This version has no driver for ${target.kind}.`)
  }
  return open(target, places)
}
