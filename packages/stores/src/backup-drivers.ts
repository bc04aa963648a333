import type { BackupDriver } from '#backup/backup-driver.ts'
import type { Source } from '#backup/source.ts'
import { parquetBackup } from '#parquet/backup.ts'
import { createPostgresBackup } from '#postgres/backup.ts'
import type { PostgresTools } from '#postgres/dump/tools.ts'
import { redisBackup } from '#redis/backup.ts'
import { sqliteBackup } from '#sqlite/backup.ts'

export type BackupDriverFor = (type: Source['type']) => BackupDriver

export function createBackupDrivers(tools: PostgresTools): BackupDriverFor {
  const kinds = {
    sqlite: sqliteBackup,
    postgresql: createPostgresBackup(tools),
    redis: redisBackup,
    parquet: parquetBackup,
  }
  // A driver only gets sources of its own type, which the type of the table cannot express.
  return (type) => kinds[type] as BackupDriver
}
