import type { TestProject } from 'vitest/node'
import { fillCompiled } from '../compiled.ts'
import { openStoreKeeper } from './store-keeper.ts'

/** Tells the tests of a run where PostgreSQL and Redis are, and ends at last what they started. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await fillCompiled()
  const { postgresBin, redisServer } = project.getProvidedContext().programs
  const keeper = postgresBin && (await openStoreKeeper(postgresBin))
  project.provide('stores', {
    ...(keeper && { postgresBin, postgresKeeper: keeper.url }),
    ...(redisServer && { redisServer }),
  })
  return async () => {
    if (keeper) await keeper.end()
  }
}
