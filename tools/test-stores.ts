import type { TestProject } from 'vitest/node'
import { openStoreKeeper } from '../packages/server/src/testkit/stores/store-keeper.ts'
import { find, PROGRAMS } from './prerequisites.mjs'

/** Tells the tests of a run where PostgreSQL and Redis are, and ends at last what they started. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgresBin = find(PROGRAMS.postgresql, process.env)
  const redisServer = find(PROGRAMS.redis, process.env)
  const keeper = postgresBin === undefined ? undefined : await openStoreKeeper(postgresBin)
  project.provide('stores', {
    ...(postgresBin && keeper && { postgresBin, postgresKeeper: keeper.url }),
    ...(redisServer && { redisServer }),
  })
  return async () => keeper?.end()
}
