import { describe } from 'vitest'
import { describePostgres, describeRedis } from '#testkit/stores/test-stores.ts'
import { type NumberStore, newParquet, newPostgres, newRedis, newSqlite } from './backup-stores.ts'

/** The same tests on a store of each of the four kinds. */
export function describeEveryStore(tell: (create: () => Promise<NumberStore>) => void): void {
  describe('SQLite', () => tell(newSqlite))
  describe('Parquet', () => tell(newParquet))
  describePostgres('PostgreSQL', () => tell(newPostgres))
  describeRedis('Redis', () => tell(newRedis))
}
