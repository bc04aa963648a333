import * as z from 'zod'
import { orJob } from '#admin/jobs.ts'
import { ExportFormat } from '#database/rows.ts'
import { tradingEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { Config, Done, Id, listOf } from '#shared.ts'

export const STORES = ['postgresql', 'parquet', 'redis'] as const

const Store = z.enum([...STORES, 'all'])
const ByDatabase = strictObject(() => ({ db_type: Store }))
const ByCache = strictObject(() => ({
  cache_type: Store,
  dry_run: z.boolean().optional().describe('Reports what would be deleted and its size; deletes nothing'),
  all_keys: z.boolean().optional().describe("Redis: deletes all keys, not only Binnacle's own"),
}))

/** The store that an action on its kind uses. */
export const StoreStatus = object(() => ({
  kind: z.enum(STORES),
  connection_id: Id.describe('The connection whose backups it has'),
  name: z.string(),
  target: z.string().describe('Address and database, or path'),
  size: z.number().nullish().describe('In bytes; of Redis the memory in use'),
  error: z.string().nullish().describe('Why the size is not known'),
  last_backup: z.string().nullish(),
  last_optimized: z.string().nullish(),
})).meta({ id: 'StoreStatus' })
export type StoreStatus = z.output<typeof StoreStatus>

/** A store that can be exported. */
export const ExportStore = object(() => ({ id: z.string(), name: z.string(), type: z.string() })).meta({
  id: 'ExportStore',
})
export type ExportStore = z.output<typeof ExportStore>

/** A finished export, as one file. */
export const DataExport = object(() => ({
  name: z.string(),
  size: z.number().describe('In bytes'),
  created_at: z.string(),
})).meta({ id: 'DataExport' })
export type DataExport = z.output<typeof DataExport>

/** Replies carry an optional message for the user (MAINT-6). After 20 seconds the reply is 202 with the job. */
export const maintenance = {
  status: tradingEndpoint('GET /api/database/status', {
    summary: 'The store that each kind of action uses, with its size, last backup and last optimisation',
    role: 'admin',
    origin: { capability: 'maintenance' },
    reply: listOf('stores', StoreStatus),
  }),
  backup: tradingEndpoint('POST /api/database/backup', {
    summary: 'Back up one kind of store, or all',
    role: 'admin',
    acceptsKey: true,
    body: ByDatabase,
    reply: orJob(Done),
  }),
  optimize: tradingEndpoint('POST /api/database/optimize', {
    summary: 'Optimise one kind of store, or all',
    role: 'admin',
    acceptsKey: true,
    body: ByDatabase,
    reply: orJob(Done),
  }),
  clean: tradingEndpoint('POST /api/database/clean', {
    summary: 'Remove old files, or flush the cache',
    role: 'admin',
    acceptsKey: true,
    body: ByCache,
    reply: orJob(Done),
  }),
  exports: tradingEndpoint('GET /api/database/exports', {
    summary: 'The stores that can be exported, and the exports since the server started, newest first',
    role: 'admin',
    origin: { capability: 'maintenance' },
    reply: object(() => ({ stores: z.array(ExportStore), files: z.array(DataExport) })),
  }),
  exportData: tradingEndpoint('POST /api/database/exports', {
    summary: 'Export chosen stores as one .tar.gz file with a file per table',
    role: 'admin',
    origin: { capability: 'maintenance' },
    acceptsKey: true,
    body: strictObject(() => ({
      stores: z.array(z.string().min(1).max(100)).min(1).max(100).describe('Ids of connections'),
      format: ExportFormat.default('csv'),
    })),
    reply: orJob(object(() => ({ message: z.string(), file: z.string() }))),
  }),
  exportFile: tradingEndpoint('GET /api/database/exports/:name', {
    summary: 'The file of an export',
    role: 'admin',
    origin: { capability: 'maintenance' },
    params: strictObject(() => ({ name: z.string() })),
    produces: ['application/gzip'],
    reply: z.string(),
  }),
}

/** The documented paths of the same operations, one per store and operation. */
export const nautilusMaintenance = {
  optimizePostgresql: tradingEndpoint('POST /api/nautilus/database/optimize-postgresql', {
    summary: 'Optimise the PostgreSQL tables',
    role: 'admin',
    origin: 'documented',
    reply: orJob(Done),
  }),
  backupPostgresql: tradingEndpoint('POST /api/nautilus/database/backup-postgresql', {
    summary: 'Back up PostgreSQL',
    role: 'admin',
    origin: 'documented',
    reply: orJob(Done),
  }),
  exportParquet: tradingEndpoint('POST /api/nautilus/database/export-parquet', {
    summary: 'Export the Parquet catalog',
    role: 'admin',
    origin: 'documented',
    reply: orJob(Done),
  }),
  cleanParquet: tradingEndpoint('POST /api/nautilus/database/clean-parquet', {
    summary: 'Remove old Parquet files',
    role: 'admin',
    origin: 'documented',
    reply: orJob(Done),
  }),
  flushRedis: tradingEndpoint('POST /api/nautilus/database/flush-redis', {
    summary: 'Flush the Redis cache',
    role: 'admin',
    origin: 'documented',
    reply: orJob(Done),
  }),
  redisStats: tradingEndpoint('GET /api/nautilus/database/redis-stats', {
    summary: 'Redis statistics',
    role: 'viewer',
    origin: 'documented',
    reply: Config,
  }),
  cacheStats: tradingEndpoint('GET /api/nautilus/cache/stats', {
    summary: 'Statistics of the engine’s cache',
    role: 'viewer',
    origin: 'documented',
    reply: Config,
  }),
}
