import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_TIME_LIMIT_S } from '@binnacle/contract'
import type { ConnectionConfig } from '@binnacle/stores'
import { SEALED_COLUMNS } from '#storage/admin/sealed-columns.ts'

/** One of Binnacle's own stores as a read-only connection. */
export interface OwnTarget extends ConnectionConfig {
  role: 'admin' | 'journal' | 'orders' | 'samples' | 'catalog'
  /** Of the engine that it belongs to; the data folder for the first one. */
  folder: string
}

/**
 * Binnacle's own stores, with secret columns hidden: those of the console and its first engine, then those that each
 * further engine has on the disk. An engine may be reached long after the start, so they are looked up at each call.
 */
export function ownStores(dataFolder: string): OwnTarget[] {
  const first = STORES.map((store) => configOf(store, dataFolder))
  const further = foldersIn(join(dataFolder, 'engines')).flatMap((engine) =>
    ENGINE_STORES.map((store) => configOf(store, dataFolder, engine)),
  )
  return [...first, ...further.filter(({ connectionString }) => existsSync(connectionString))]
}

function configOf(
  { role, name, kind, path, hiddenColumns }: OwnStore,
  dataFolder: string,
  engine?: string,
): OwnTarget {
  const parts = engine === undefined ? [] : ['engines', engine]
  const folder = join(dataFolder, ...parts)
  return {
    id: ['binnacle', role, ...parts.slice(1)].join('-'),
    name: engine === undefined ? name : `${name} of ${engine}`,
    kind,
    role,
    folder,
    hiddenColumns,
    databaseName: join(...parts, path),
    connectionString: join(folder, path),
    writable: false,
    timeLimitMs: DEFAULT_TIME_LIMIT_S * 1000,
    isOwn: true,
  }
}

function foldersIn(path: string): string[] {
  if (!existsSync(path)) return []
  const entries = readdirSync(path, { withFileTypes: true })
  return entries.flatMap((entry) => (entry.isDirectory() ? entry.name : [])).sort()
}

interface OwnStore extends Pick<OwnTarget, 'role' | 'name' | 'kind' | 'hiddenColumns'> {
  /** In the folder of its engine. */
  path: string
}

const ENGINE_STORES: readonly OwnStore[] = [
  { role: 'journal', name: 'Binnacle journal', kind: 'sqlite', path: 'journal.sqlite' },
  { role: 'orders', name: 'Binnacle order history', kind: 'sqlite', path: 'orders.sqlite' },
  { role: 'samples', name: 'Binnacle samples', kind: 'sqlite', path: 'samples.sqlite' },
  { role: 'catalog', name: 'Binnacle market data', kind: 'parquet', path: 'catalog' },
]

const STORES: readonly OwnStore[] = [
  {
    role: 'admin',
    name: 'Binnacle admin',
    kind: 'sqlite',
    path: 'admin.sqlite',
    hiddenColumns: SEALED_COLUMNS,
  },
  ...ENGINE_STORES,
]
