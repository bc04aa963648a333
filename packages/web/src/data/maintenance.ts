import { maintenance } from '@binnacle/contract'
import { useChange, useSubjectsUnderWay } from './change.ts'
import { call } from './client.ts'

export type Store = 'postgresql' | 'parquet' | 'redis' | 'all'
export type Upkeep = 'backup' | 'optimize' | 'clean'

export interface MaintenanceTask {
  upkeep: Upkeep
  store: Store
}

export interface MaintenanceOptions {
  onFailure: (error: unknown, task: MaintenanceTask) => void
  /** With the server's own message, if it sent one. */
  onDone: (message: string | undefined, task: MaintenanceTask) => void
}

const KEY = ['maintenance']

/** Specification, section 7: names are sent in lower case; only a clean calls its subject a cache. */
const calls = {
  backup: (store: Store) => call(maintenance.backup, { body: { db_type: store } }),
  optimize: (store: Store) => call(maintenance.optimize, { body: { db_type: store } }),
  clean: (store: Store) => call(maintenance.clean, { body: { cache_type: store } }),
}

export function useMaintenance({ onFailure, onDone }: MaintenanceOptions) {
  const start = useChange({
    key: KEY,
    subject: nameOf,
    send: ({ upkeep, store }: MaintenanceTask) => calls[upkeep](store),
    onReply: ({ message }, task) => onDone(message, task),
    onFailure,
  })
  const underWay = useSubjectsUnderWay(KEY)
  return { start, isUnderWay: (task: MaintenanceTask) => underWay.has(nameOf(task)) }
}

function nameOf({ upkeep, store }: MaintenanceTask): string {
  return `${upkeep} ${store}`
}
