import * as z from 'zod'
import { orJob } from '#admin/jobs.ts'
import { endpoint } from '#endpoint.ts'
import { Config, Done } from '#shared.ts'

export const STORES = ['postgresql', 'parquet', 'redis'] as const

const Store = z.enum([...STORES, 'all'])
const ByDatabase = z.strictObject({ db_type: Store })
const ByCache = z.strictObject({
  cache_type: Store,
  dry_run: z.boolean().optional().describe('Tells what would go and how large it is; nothing goes'),
  all_keys: z.boolean().optional().describe("Redis: takes the keys of others too, not only Binnacle's own"),
})

/**
 * Each answers with a message for the person, when the backend has one to give (MAINT-6); what takes longer than
 * 20 seconds answers 202 with its job.
 */
export const maintenance = {
  backup: endpoint('POST /api/database/backup', {
    summary: 'Back up one kind of store, or all',
    role: 'admin',
    body: ByDatabase,
    reply: orJob(Done),
  }),
  optimize: endpoint('POST /api/database/optimize', {
    summary: 'Optimise one kind of store, or all',
    role: 'admin',
    body: ByDatabase,
    reply: orJob(Done),
  }),
  clean: endpoint('POST /api/database/clean', {
    summary: 'Remove old files, or flush the cache',
    role: 'admin',
    body: ByCache,
    reply: orJob(Done),
  }),
}

/** The documented paths of the same work, one per store and act. */
export const nautilusMaintenance = {
  optimizePostgresql: endpoint('POST /api/nautilus/database/optimize-postgresql', {
    summary: 'Optimise the PostgreSQL tables',
    role: 'admin',
    origin: 'documented',
    reply: orJob(Done),
  }),
  backupPostgresql: endpoint('POST /api/nautilus/database/backup-postgresql', {
    summary: 'Back up PostgreSQL',
    role: 'admin',
    origin: 'documented',
    reply: orJob(Done),
  }),
  exportParquet: endpoint('POST /api/nautilus/database/export-parquet', {
    summary: 'Export the Parquet catalog',
    role: 'admin',
    origin: 'documented',
    reply: orJob(Done),
  }),
  cleanParquet: endpoint('POST /api/nautilus/database/clean-parquet', {
    summary: 'Remove old Parquet files',
    role: 'admin',
    origin: 'documented',
    reply: orJob(Done),
  }),
  flushRedis: endpoint('POST /api/nautilus/database/flush-redis', {
    summary: 'Flush the Redis cache',
    role: 'admin',
    origin: 'documented',
    reply: orJob(Done),
  }),
  redisStats: endpoint('GET /api/nautilus/database/redis-stats', {
    summary: 'Figures about Redis',
    role: 'viewer',
    origin: 'documented',
    reply: Config,
  }),
  cacheStats: endpoint('GET /api/nautilus/cache/stats', {
    summary: 'Figures about the engine’s cache',
    role: 'viewer',
    origin: 'documented',
    reply: Config,
  }),
}
