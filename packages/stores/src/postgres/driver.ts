import type { ConnectionConfig, Driver } from '#driver.ts'
import { createWorkerDriver } from '#worker/worker-driver.ts'
import { connectionOptions } from './connection-options.ts'

/** Throws a StoreRefusal for an invalid connection string, without connecting. */
export function createPostgresDriver(config: ConnectionConfig): Driver {
  connectionOptions(config)
  const { writable } = config
  return createWorkerDriver({
    kind: 'postgresql',
    capabilities: {
      language: 'sql',
      write: writable,
      explain: true,
      sort: true,
      filter: true,
      backup: true,
      restore: writable,
    },
    workerConfig: () => ({ kind: 'postgresql', connection: config }),
  })
}
