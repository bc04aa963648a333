import type { Subject } from '#backups/room.ts'

export type StoreKind = 'postgresql' | 'parquet' | 'redis'

/** A store that maintenance may work on. */
export interface KeptStore extends Subject {
  /** Whether more than reading is allowed. */
  writable: boolean
}

/** Which stores there are to maintain. */
export interface KeptStores {
  find(kind: StoreKind): Promise<KeptStore | undefined>
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

/** What the settings name comes first, else the first active connection of that kind; Parquet is our own catalog. */
export function createKeptStores({ postgresUrl, redisUrl, connections }: KeptStoresNeeds): KeptStores {
  const configured: KeptStore[] = []
  const add = (id: string, name: string, source: Subject['source']) =>
    configured.push({ id, name, source, writable: true, release: async () => {} })
  if (postgresUrl !== undefined) {
    add('configured-postgresql', 'PostgreSQL', { type: 'postgresql', url: postgresUrl })
  }
  if (redisUrl !== undefined) add('configured-redis', 'Redis', { type: 'redis', url: redisUrl })
  const isOf = (kind: StoreKind) => (store: KeptStore) => store.source.type === kind
  return {
    async find(kind) {
      if (kind !== 'parquet') return configured.find(isOf(kind)) ?? (await connections()).find(isOf(kind))
      const catalog = (await connections()).find(({ id }) => id === CATALOG)
      // People only read it through a connection; keeping it in order is the server's own work.
      return catalog && { ...catalog, writable: true }
    },
    all: async () => [...configured, ...(await connections())],
  }
}
