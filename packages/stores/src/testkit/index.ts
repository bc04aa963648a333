export { sharedFixture } from './drivers/driver-fixture.ts'
export { openRedisProxy } from './drivers/redis-fixture.ts'
export { retainedBytes } from './drivers/retained-bytes.ts'
export { sqliteFixture, storeWorkerProcesses } from './drivers/sqlite-fixture.ts'
export { countOf, testSeed } from './generated.ts'
export { postgresTokens } from './postgres-tokens.ts'
export {
  describePostgres,
  describeRedis,
  freshDatabase,
  freshRedis,
  type TestDatabase,
} from './stores/test-stores.ts'
export { type AtEnd, afterAllTests, builtSite, temporaryFolder } from './temporary-folder.ts'
export { until } from './until.ts'
