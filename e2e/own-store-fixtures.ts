import { type RealStore, startPostgres, startRedis } from './real-stores.ts'
import { test as base, expect } from './server-fixtures.ts'

interface OwnStoreFixtures {
  /** Of this test alone; undefined on a machine that lacks it. */
  postgres: RealStore | undefined
  redis: RealStore | undefined
}

/** Our own server, and real stores that a person connects to; each test has its own, so that none sees another's. */
export const test = base.extend<OwnStoreFixtures>({
  // Playwright wants a pattern, and one that is not empty.
  postgres: [async ({ browserName: _ }, use) => lend(await startPostgres(), use), { timeout: 120_000 }],
  redis: [async ({ browserName: _ }, use) => lend(await startRedis(), use), { timeout: 120_000 }],
})

async function lend(
  store: RealStore | undefined,
  use: (store: RealStore | undefined) => Promise<void>,
): Promise<void> {
  await use(store)
  await store?.stop()
}

export { expect }
