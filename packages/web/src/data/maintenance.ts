import { maintenance, nautilusMaintenance, type StoreStatus } from '@binnacle/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { capabilityQueries, offers } from './capabilities.ts'
import { call } from './client.ts'
import { type Command, type CommandOptions, useCommand } from './command.ts'
import { connectionQueries } from './databases/connections.ts'
import { logOnly } from './failure.ts'

export type Store = 'postgresql' | 'parquet' | 'redis' | 'all'
export type MaintenanceAction = 'backup' | 'optimize' | 'clean'

export interface MaintenanceTask {
  action: MaintenanceAction
  store: Store
}

/** The reply is the server's message, if it sent one. */
export type MaintenanceOptions = CommandOptions<MaintenanceTask, string | undefined>

const KEY = ['maintenance']

/** Specification, section 7: names in lower case; only clean names the field `cache_type`. */
const calls = {
  backup: (store: Store, key?: string) => call(maintenance.backup, { body: { db_type: store } }, { key }),
  optimize: (store: Store, key?: string) => call(maintenance.optimize, { body: { db_type: store } }, { key }),
  clean: (store: Store, key?: string) => call(maintenance.clean, { body: { cache_type: store } }, { key }),
}

export function useMaintenance(options: MaintenanceOptions): Command<MaintenanceTask> {
  return useCommand(
    {
      key: KEY,
      subject: taskName,
      idempotency: { by: 'request' },
      send: async ({ action, store }, key) => (await calls[action](store, key)).message,
      // MAINT-43: the lists of backups, too.
      reload: (client) =>
        Promise.all([
          client.invalidateQueries({ queryKey: storeStatusQuery.queryKey }),
          client.invalidateQueries({ queryKey: connectionQueries.all }),
        ]),
    },
    options,
  )
}

/** Whether the backend offers a preview of a clean and the Redis statistics. */
export function useHasMaintenance(): boolean {
  const { data } = useQuery(capabilityQueries.backend())
  return offers(data, 'maintenance')
}

export const storeStatusQuery = queryOptions({
  queryKey: ['maintenance-status'],
  queryFn: async ({ signal }) => (await call(maintenance.status, {}, { signal })).stores,
  meta: { onFailure: logOnly },
})

/** The store of each kind that actions use; none without the capability. */
export function useStoreStatus(): readonly StoreStatus[] {
  const { data } = useQuery({ ...storeStatusQuery, enabled: useHasMaintenance() })
  return data ?? []
}

const PREVIEW = ['maintenance-preview']

/** Reports what a clean would remove; removes nothing. */
export function useCleanPreview(options: MaintenanceOptions): Command<MaintenanceTask> {
  return useCommand(
    {
      key: PREVIEW,
      subject: taskName,
      send: async ({ store }) =>
        (await call(maintenance.clean, { body: { cache_type: store, dry_run: true } })).message,
    },
    options,
  )
}

export interface RedisFigures {
  version: string
  keys: string
  memory: string
  clients: string
}

const STATS = ['redis-stats']

export function useRedisStats(options: CommandOptions<void, RedisFigures>): Command<void> {
  return useCommand(
    { key: STATS, send: async () => toFigures(await call(nautilusMaintenance.redisStats, {})) },
    options,
  )
}

function toFigures(stats: Record<string, unknown>): RedisFigures {
  const figure = (name: string) => String(stats[name] ?? '—')
  return {
    version: figure('redis_version'),
    keys: figure('keys'),
    memory: figure('used_memory_human'),
    clients: figure('connected_clients'),
  }
}

export function taskName({ action, store }: MaintenanceTask): string {
  return `${action} ${store}`
}
