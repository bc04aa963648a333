import type { Subject } from '#databases/backups/backup-context.ts'
import type { StoreKind } from '#services/maintenance.ts'

/** A store that maintenance works on. */
export interface ManagedStore extends Subject {
  /** Whether it may be changed. */
  writable: boolean
  /** Whether the server's configuration names it. */
  isConfigured?: boolean
}

/** The stores that maintenance works on. */
export interface ManagedStores {
  /** Those that the server's configuration names. */
  readonly configured: readonly ManagedStore[]
  /** All stores of a kind, the configured one first. */
  of(kind: StoreKind): Promise<ManagedStore[]>
  /** All stores to back up, including our own. */
  all(): Promise<ManagedStore[]>
}

export interface ManagedStoresOptions {
  /** From the server's configuration. */
  postgresUrl?: string | undefined
  redisUrl?: string | undefined
  /** The users' connections and our own stores. */
  connections(): Promise<ManagedStore[]>
}

/** Binnacle's own market data. */
const CATALOG = 'binnacle-catalog'

/** Configured stores come first, then the active connections. Parquet is our own catalog. */
export function createManagedStores({
  postgresUrl,
  redisUrl,
  connections,
}: ManagedStoresOptions): ManagedStores {
  const configured: ManagedStore[] = []
  const add = (id: string, name: string, source: Subject['source']) =>
    configured.push({
      id,
      identity: id,
      name,
      source,
      writable: true,
      isConfigured: true,
      release: async () => {},
    })
  if (postgresUrl !== undefined) {
    add('configured-postgresql', 'PostgreSQL', { type: 'postgresql', url: postgresUrl })
  }
  if (redisUrl !== undefined) add('configured-redis', 'Redis', { type: 'redis', url: redisUrl })
  const all = async () => [...configured, ...(await connections())]
  return {
    configured,
    all,
    async of(kind) {
      if (kind !== 'parquet') return (await all()).filter(({ source }) => source.type === kind)
      // Read-only as a connection, but the server itself may clean it.
      return (await connections())
        .filter(({ id }) => id === CATALOG)
        .map((catalog) => ({ ...catalog, writable: true }))
    },
  }
}
