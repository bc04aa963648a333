import type { Page } from '@playwright/test'
import { type RealStore, startPostgres, startRedis } from './real-stores.ts'
import { test as base, expect } from './server-fixtures.ts'

interface OwnStoreFixtures {
  /** Of this test alone; undefined on a machine that lacks it. */
  postgres: RealStore | undefined
  redis: RealStore | undefined
}

/** Our own server, and real stores that a person connects to; each test has its own, so that none sees another's. */
export const test = base.extend<OwnStoreFixtures>({
  postgres: [
    async ({ page }, use) => {
      const store = await startPostgres()
      await use(store)
      await leaveAndStop(page, store)
    },
    { timeout: 300_000 },
  ],
  redis: [
    async ({ page }, use) => {
      const store = await startRedis()
      await use(store)
      await leaveAndStop(page, store)
    },
    { timeout: 300_000 },
  ],
})

/** The page goes first: it may still reload the tables, and a stopped store would answer that with an error. */
async function leaveAndStop(page: Page, store: RealStore | undefined): Promise<void> {
  await page.goto('about:blank')
  await store?.stop()
}

export { expect }
