import { startOurServer } from './our-server.ts'
import { type RealStore, startPostgres, startRedis } from './real-stores.ts'
import { test as base, expect } from './server-fixtures.ts'

interface StoreFixtures {
  /** Both, or undefined on a machine that lacks one. */
  stores: { postgres: RealStore; redis: RealStore } | undefined
}

/** Our own server with a real PostgreSQL and a real Redis to maintain; skipped where there are none. */
export const test = base.extend<object, StoreFixtures>({
  stores: [
    // Playwright wants a pattern, and one that is not empty.
    async ({ browserName: _ }, use) => {
      const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
      await use(postgres && redis && { postgres, redis })
      await Promise.all([postgres?.stop(), redis?.stop()])
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ stores }, use) => {
      const settings = stores && {
        BINNACLE_POSTGRES_URL: stores.postgres.url,
        BINNACLE_REDIS_URL: stores.redis.url,
      }
      const server = await startOurServer(settings)
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
})

export { expect }
