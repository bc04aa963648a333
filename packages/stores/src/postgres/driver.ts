import type { Driver, Target } from '#driver.ts'
import { createWorkerDriver } from '#worker/worker-driver.ts'
import { connectionOptions } from './connection-options.ts'

/** Throws a StoreRefusal for an invalid connection string, without connecting. */
export function createPostgresDriver(target: Target): Driver {
  connectionOptions(target)
  const { writable } = target
  return createWorkerDriver({
    kind: 'postgresql',
    can: {
      language: 'sql',
      write: writable,
      explain: true,
      sort: true,
      filter: true,
      backup: true,
      restore: writable,
    },
    target: () => ({ kind: 'postgresql', target }),
  })
}
