import { maintenance, nautilusMaintenance } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { capabilityQueries, offers } from './capabilities.ts'
import { useChange, useSubjectsUnderWay } from './changes/change.ts'
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

/** Whether the backend tells what would go before it goes, and the figures of Redis. */
export function useIsMaintained(): boolean {
  const { data } = useQuery(capabilityQueries.backend())
  return offers(data, 'maintenance')
}

const PREVIEW = ['maintenance-preview']

/** Asks what a clean would remove; nothing is removed. */
export function useCleanPreview({ onFailure, onDone }: MaintenanceOptions) {
  const start = useChange({
    key: PREVIEW,
    subject: nameOf,
    send: ({ store }: MaintenanceTask) =>
      call(maintenance.clean, { body: { cache_type: store, dry_run: true } }),
    onReply: ({ message }, task) => onDone(message, task),
    onFailure,
  })
  const underWay = useSubjectsUnderWay(PREVIEW)
  return { start, isUnderWay: (task: MaintenanceTask) => underWay.has(nameOf(task)) }
}

export interface RedisFigures {
  version: string
  keys: string
  memory: string
  clients: string
}

interface FiguresOptions {
  onFailure: (error: unknown) => void
  onDone: (figures: RedisFigures) => void
}

const STATS = ['redis-stats']

export function useRedisStats({ onFailure, onDone }: FiguresOptions) {
  const start = useChange({
    key: STATS,
    subject: () => 'redis',
    send: (_: undefined) => call(nautilusMaintenance.redisStats, {}),
    onReply: (told) => onDone(figuresOf(told)),
    onFailure,
  })
  const underWay = useSubjectsUnderWay(STATS)
  return { show: () => start(undefined), isUnderWay: underWay.size > 0 }
}

function figuresOf(told: Record<string, unknown>): RedisFigures {
  const figure = (name: string) => String(told[name] ?? '—')
  return {
    version: figure('redis_version'),
    keys: figure('keys'),
    memory: figure('used_memory_human'),
    clients: figure('connected_clients'),
  }
}

function nameOf({ upkeep, store }: MaintenanceTask): string {
  return `${upkeep} ${store}`
}
