import { describePostgres, describeRedis } from '@binnacle/stores/testkit'
import { describe } from 'vitest'
import { type NumberStore, newParquet, newPostgres, newRedis, newSqlite } from './backup-stores.ts'

/** Runs the same tests on each of the four types of stores. */
export function describeEveryStore(defineTests: (create: () => Promise<NumberStore>) => void): void {
  describe('SQLite', () => defineTests(newSqlite))
  describe('Parquet', () => defineTests(newParquet))
  describePostgres('PostgreSQL', () => defineTests(newPostgres))
  describeRedis('Redis', () => defineTests(newRedis))
}
