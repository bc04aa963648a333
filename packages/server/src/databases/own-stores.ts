import { join } from 'node:path'
import { DEFAULT_TIME_LIMIT_S } from '@binnacle/contract'
import type { Target } from '@binnacle/stores'
import { SEALED_COLUMNS } from '#storage/admin/sealed-columns.ts'

/** Binnacle's own stores as read-only connections, with secret columns hidden. */
export function ownStores(dataFolder: string): Target[] {
  return STORES.map(({ id, name, kind, path, hiddenColumns }) => ({
    id,
    name,
    kind,
    databaseName: path,
    connectionString: join(dataFolder, path),
    writable: false,
    timeLimitMs: DEFAULT_TIME_LIMIT_S * 1000,
    isOwn: true,
    hiddenColumns,
  }))
}

interface OwnStore extends Pick<Target, 'id' | 'name' | 'kind' | 'hiddenColumns'> {
  /** In the data folder. */
  path: string
}

const STORES: readonly OwnStore[] = [
  {
    id: 'binnacle-admin',
    name: 'Binnacle admin',
    kind: 'sqlite',
    path: 'admin.sqlite',
    hiddenColumns: SEALED_COLUMNS,
  },
  { id: 'binnacle-journal', name: 'Binnacle journal', kind: 'sqlite', path: 'journal.sqlite' },
  { id: 'binnacle-orders', name: 'Binnacle order history', kind: 'sqlite', path: 'orders.sqlite' },
  { id: 'binnacle-samples', name: 'Binnacle samples', kind: 'sqlite', path: 'samples.sqlite' },
  { id: 'binnacle-catalog', name: 'Binnacle market data', kind: 'parquet', path: 'catalog' },
]
