import { describePostgres, describeRedis } from '@binnacle/stores/testkit'
import { describe } from 'vitest'
import { type NumberStore, newParquet, newPostgres, newRedis, newSqlite } from './backup-stores.ts'

/** Runs the same tests on each of the four types of stores, or on the first `count` of them. */
export function describeEveryStore(
  defineTests: (create: () => Promise<NumberStore>) => void,
  count = 4,
): void {
  const stores = [
    () => describePostgres('PostgreSQL', () => defineTests(newPostgres)),
    () => describeRedis('Redis', () => defineTests(newRedis)),
    () => describe('SQLite', () => defineTests(newSqlite)),
    () => describe('Parquet', () => defineTests(newParquet)),
  ]
  for (const describeStore of stores.slice(0, count)) describeStore()
}
