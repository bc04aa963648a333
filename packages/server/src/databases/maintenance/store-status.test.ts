import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, test } from 'vitest'
import { ownStoresIn } from '#databases/backup-subjects.ts'
import { measureSizes } from '#services/metrics/store-sizes.ts'
import { statusOf } from './store-status.ts'

test('[MON-40] the catalog has the same size here and in Monitoring; data sets and live seconds are counted apart', async () => {
  const folder = temporaryFolder({
    'catalog/bars/BTCUSDT/1m/2026-01.parquet': 'x'.repeat(700),
    'catalog/minutes.csv': 'x'.repeat(50),
    'data-sets/old/bars.parquet': 'x'.repeat(90),
    'seconds/BTCUSDT': 'x'.repeat(8),
  })
  const { stores } = await measureSizes(folder)
  const sizes = new Map(stores.map(({ name, bytes }) => [name, bytes]))
  const none = { list: async () => [] }
  const catalog = ownStoresIn(folder).find(({ source }) => source.type === 'parquet')
  if (catalog === undefined) throw new Error('There is no catalog among the own stores')
  const store = { ...catalog, identity: 'catalog', writable: false, release: async () => {} }
  const { size } = await statusOf('parquet', store, { backups: none, jobs: none })
  expect(size).toBe(750)
  expect(sizes.get('Catalog')).toBe(size)
  expect([sizes.get('Data sets'), sizes.get('Live seconds')]).toEqual([90, 8])
})
