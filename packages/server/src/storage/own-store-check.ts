import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { readFormat } from './data-folder.ts'

/** The stores of one embedded engine. */
export interface EmbeddedPaths {
  journalFile: string
  archiveFolder: string
  ordersFile: string
}

/** Paths of Binnacle's own stores. */
export interface OwnStorePaths {
  adminFile: string
  samplesFile: string
  /** Absent where the embedded engine has never run. */
  embedded?: EmbeddedPaths | undefined
  /** Of the further engines, which have folders of their own. */
  engines?: readonly EngineStorePaths[] | undefined
}

export interface EngineStorePaths {
  engine: string
  samplesFile: string
  /** Absent for a NautilusTrader node. */
  embedded?: EmbeddedPaths | undefined
}

/** The stores of a data folder, and those of the further engines in it. */
export async function ownStoresIn(folder: string): Promise<OwnStorePaths> {
  const engines: EngineStorePaths[] = []
  for (const engine of await foldersIn(join(folder, 'engines'))) {
    engines.push({ engine, ...(await engineStoresIn(join(folder, 'engines', engine))) })
  }
  return { adminFile: join(folder, 'admin.sqlite'), ...(await engineStoresIn(folder)), engines }
}

/** A folder that has only served NautilusTrader nodes has no stores of the embedded engine. */
async function engineStoresIn(folder: string): Promise<Omit<EngineStorePaths, 'engine'>> {
  const at = (name: string) => join(folder, name)
  const hasEmbedded = (await readFormat(folder))?.stores !== undefined || existsSync(at('journal.sqlite'))
  return {
    samplesFile: at('samples.sqlite'),
    ...(hasEmbedded && {
      embedded: {
        journalFile: at('journal.sqlite'),
        archiveFolder: at('journal-archive'),
        ordersFile: at('orders.sqlite'),
      },
    }),
  }
}

async function foldersIn(path: string): Promise<string[]> {
  if (!existsSync(path)) return []
  const entries = await readdir(path, { withFileTypes: true })
  return entries.flatMap((entry) => (entry.isDirectory() ? entry.name : [])).sort()
}

export interface OwnStoreCheck {
  store: 'admin' | 'journal' | 'orders' | 'samples'
  /** The further engine that it is of. */
  engine?: string | undefined
  file: string
  /** What is wrong; undefined for a store that was read in full without a fault. */
  fault?: string | undefined
}

/** The store, and its engine if it is not the first one. */
export function nameOfStore({ store, engine }: OwnStoreCheck): string {
  return engine === undefined ? store : `${store} of ${engine}`
}

/** Reads every page of the stores, their triggers and views, and every entry of the journal, archived ones included, on a worker thread. */
export async function checkOwnStores(paths: OwnStorePaths): Promise<OwnStoreCheck[]> {
  const worker = new Worker(new URL('./own-store-check.worker.ts', import.meta.url), { workerData: paths })
  const [checks] = await once(worker, 'message')
  return checks
}
