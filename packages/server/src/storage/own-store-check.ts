import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { readFormat } from './data-folder.ts'

/** Paths of Binnacle's own stores. */
export interface OwnStorePaths {
  adminFile: string
  samplesFile: string
  /** The stores of the embedded engine; absent where it has never run. */
  embedded?: { journalFile: string; archiveFolder: string; ordersFile: string } | undefined
}

/** The stores of a data folder. One that has only served NautilusTrader nodes has none of the embedded engine. */
export async function ownStoresIn(folder: string): Promise<OwnStorePaths> {
  const at = (name: string) => join(folder, name)
  const hasEmbedded = (await readFormat(folder))?.stores !== undefined || existsSync(at('journal.sqlite'))
  return {
    adminFile: at('admin.sqlite'),
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

export interface OwnStoreCheck {
  store: 'admin' | 'journal' | 'orders' | 'samples'
  /** What is wrong; undefined for a store that was read in full without a fault. */
  fault?: string | undefined
}

/** Reads every page of the stores, their triggers and views, and every entry of the journal, archived ones included, on a worker thread. */
export async function checkOwnStores(paths: OwnStorePaths): Promise<OwnStoreCheck[]> {
  const worker = new Worker(new URL('./own-store-check.worker.ts', import.meta.url), { workerData: paths })
  const [checks] = await once(worker, 'message')
  return checks
}
