import * as z from 'zod'
import { endpoint } from '#endpoint.ts'
import { Config, Done } from '#shared.ts'

export const STORES = ['postgresql', 'parquet', 'redis'] as const

const Store = z.enum([...STORES, 'all'])
const ByDatabase = z.strictObject({ db_type: Store })
const ByCache = z.strictObject({ cache_type: Store })

/** Each answers with a message for the person, when the backend has one to give (MAINT-6). */
export const maintenance = {
  backup: endpoint('POST /api/database/backup', {
    summary: 'Back up one kind of store, or all',
    role: 'admin',
    body: ByDatabase,
    reply: Done,
  }),
  optimize: endpoint('POST /api/database/optimize', {
    summary: 'Optimise one kind of store, or all',
    role: 'admin',
    body: ByDatabase,
    reply: Done,
  }),
  clean: endpoint('POST /api/database/clean', {
    summary: 'Remove old files, or flush the cache',
    role: 'admin',
    body: ByCache,
    reply: Done,
  }),
}

/** The documented paths of the same work, one per store and act. */
export const nautilusMaintenance = {
  optimizePostgresql: endpoint('POST /api/nautilus/database/optimize-postgresql', {
    summary: 'Optimise the PostgreSQL tables',
    role: 'admin',
    origin: 'documented',
    reply: Done,
  }),
  backupPostgresql: endpoint('POST /api/nautilus/database/backup-postgresql', {
    summary: 'Back up PostgreSQL',
    role: 'admin',
    origin: 'documented',
    reply: Done,
  }),
  exportParquet: endpoint('POST /api/nautilus/database/export-parquet', {
    summary: 'Export the Parquet catalog',
    role: 'admin',
    origin: 'documented',
    reply: Done,
  }),
  cleanParquet: endpoint('POST /api/nautilus/database/clean-parquet', {
    summary: 'Remove old Parquet files',
    role: 'admin',
    origin: 'documented',
    reply: Done,
  }),
  flushRedis: endpoint('POST /api/nautilus/database/flush-redis', {
    summary: 'Flush the Redis cache',
    role: 'admin',
    origin: 'documented',
    reply: Done,
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
