import type { TestProject } from 'vitest/node'
import { startPostgresSupervisor } from './postgres-supervisor.ts'

/** Starts PostgreSQL's supervisor for a test run and ends what the tests started with it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { postgresBin, redisServer } = project.getProvidedContext().programs
  const keeper = postgresBin && (await startPostgresSupervisor(postgresBin))
  project.provide('stores', {
    ...(keeper && { postgresBin, postgresSupervisor: keeper.url }),
    ...(redisServer && { redisServer }),
  })
  return async () => {
    if (keeper) await keeper.end()
  }
}
