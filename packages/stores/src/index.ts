export type { BackupControl, BackupDriver, StepHook } from '#backup/backup-driver.ts'
export { filesBelow, renameDurably, sha256Of, sync, syncTree, writeDurably } from './backup/durable-files.ts'
export {
  type Counts,
  checkCounts,
  locationOfSource,
  type ParquetSource,
  type Source,
  type SqliteSource,
} from './backup/source.ts'
export { DamagedSwapNote, finishSwaps, moveWithTemporaries, pathExists, swapIn } from './backup/swaps.ts'
export { type BackupDriverFor, createBackupDrivers } from './backup-drivers.ts'
export type {
  AllowedHost,
  Anchor,
  Confirmation,
  ConnectionConfig,
  Driver,
  DriverCapabilities,
  Filter,
  FolderAccess,
  Page,
  PageRequest,
  RowSource,
  RowStream,
  Sort,
  StatementResult,
} from './driver.ts'
export { cellJson, cellText, type ExportCell, type ExportColumn } from './export-form.ts'
export { DATABASES_FOLDER, locateFile } from './file-location.ts'
export { ANSWER_TIMEOUT_MS, type JobControl, JobFailure } from './job-control.ts'
export { capabilitiesOf, checkConfig, openDriver } from './open-driver.ts'
export { createLazyDuck, type Duck, openDuck, quoteName, quoteText } from './parquet/duck.ts'
export { cleanParquet } from './parquet/maintenance.ts'
export { connectionOptions } from './postgres/connection-options.ts'
export { withClient } from './postgres/dump/client.ts'
export { createCopyCounter } from './postgres/dump/counts.ts'
export type { PostgresTools } from './postgres/dump/tools.ts'
export { optimisePostgres } from './postgres/maintenance.ts'
export { withRedis } from './redis/client.ts'
export { parseRedisAddress } from './redis/connection-options.ts'
export { createKeyFile, readKeyFile } from './redis/key-file.ts'
export { flushRedis, OUR_PREFIX, type PurgeResult, purgeRedis, readRedisStats } from './redis/maintenance.ts'
export { type SqlDialect, type Token, tokensOf } from './sql-tokens.ts'
export { ARCHIVE, DATABASE } from './sqlite/backup.ts'
export { sqliteFileOf } from './sqlite/driver.ts'
export { StoreRefusal } from './store-refusal.ts'
