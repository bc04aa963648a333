import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Paths of Binnacle's own stores. */
export interface OwnStorePaths {
  adminFile: string
  ordersFile: string
  samplesFile: string
  journalFile: string
  archiveFolder: string
}

export interface OwnStoreCheck {
  store: 'admin' | 'journal' | 'orders' | 'samples'
  /** What is wrong; undefined for a store that was read in full without a fault. */
  fault?: string | undefined
}

/** Reads every page of the stores and every entry of the journal, archived ones included, on a worker thread. */
export async function checkOwnStores(paths: OwnStorePaths): Promise<OwnStoreCheck[]> {
  const worker = new Worker(new URL('./own-store-check.worker.ts', import.meta.url), { workerData: paths })
  const [checks] = await once(worker, 'message')
  return checks
}
