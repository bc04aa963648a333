import type { Subject } from '#backups/room.ts'

export type StoreKind = 'postgresql' | 'parquet' | 'redis'

/** A store that maintenance may work on. */
export interface KeptStore extends Subject {
  /** Whether more than reading is allowed. */
  writable: boolean
  /** Whether the settings of the server name it, so that it is the one meant. */
  isConfigured?: boolean
}

/** Which stores there are to maintain. */
export interface KeptStores {
  /** Every one of the kind, what the settings name first. */
  of(kind: StoreKind): Promise<KeptStore[]>
  /** All that is worth a backup, our own stores among them. */
  all(): Promise<KeptStore[]>
}

export interface KeptStoresNeeds {
  /** As the settings of the server name them. */
  postgresUrl?: string | undefined
  redisUrl?: string | undefined
  /** The connections that people added, and our own stores. */
  connections(): Promise<KeptStore[]>
}

/** Binnacle's own market data. */
const CATALOG = 'binnacle-catalog'

/** What the settings name comes first, then the active connections; Parquet is our own catalog. */
export function createKeptStores({ postgresUrl, redisUrl, connections }: KeptStoresNeeds): KeptStores {
  const configured: KeptStore[] = []
  const add = (id: string, name: string, source: Subject['source']) =>
    configured.push({ id, name, source, writable: true, isConfigured: true, release: async () => {} })
  if (postgresUrl !== undefined) {
    add('configured-postgresql', 'PostgreSQL', { type: 'postgresql', url: postgresUrl })
  }
  if (redisUrl !== undefined) add('configured-redis', 'Redis', { type: 'redis', url: redisUrl })
  const all = async () => [...configured, ...(await connections())]
  return {
    all,
    async of(kind) {
      if (kind !== 'parquet') return (await all()).filter(({ source }) => source.type === kind)
      // People only read it through a connection; keeping it in order is the server's own work.
      return (await connections())
        .filter(({ id }) => id === CATALOG)
        .map((catalog) => ({ ...catalog, writable: true }))
    },
  }
}
