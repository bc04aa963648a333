import type { BackupKind } from './kind.ts'
import { parquetKind } from './parquet/parquet-kind.ts'
import { createPostgresKind } from './postgres/postgres-kind.ts'
import type { PostgresTools } from './postgres/postgres-tools.ts'
import { redisKind } from './redis/redis-kind.ts'
import type { Source } from './source.ts'
import { sqliteKind } from './sqlite/sqlite-kind.ts'

export type KindOf = (type: Source['type']) => BackupKind

export function createKinds(tools: PostgresTools): KindOf {
  const kinds = {
    sqlite: sqliteKind,
    postgresql: createPostgresKind(tools),
    redis: redisKind,
    parquet: parquetKind,
  }
  // A kind is only ever handed sources of its own type, which the table cannot say of both at once.
  return (type) => kinds[type] as BackupKind
}
