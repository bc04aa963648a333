import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { Kysely, SqliteAdapter, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely'
import { BUSY_TIMEOUT_MS } from './sqlite-limits.ts'

/**
 * Opens one of the server's own stores. A commit is on disk when it returns (synchronous=FULL). All queries share one
 * synchronous connection: inside a transaction, await nothing but that transaction's queries.
 */
export function openSqlite<Schema>(file: string): Kysely<Schema> {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: BUSY_TIMEOUT_MS })
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON')
  return new Kysely({ dialect: new TransactionalSqliteDialect({ database: toKyselyDatabase(database) }) })
}

/** SQLite supports transactional DDL; with this flag Kysely runs each migration in a transaction. */
class TransactionalSqliteDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalSqliteAdapter()
  }
}

class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

function toKyselyDatabase(database: DatabaseSync): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(sql) {
      // On a full disk SQLite has already rolled back; a second rollback would fail and hide the first error.
      const isRolledBack = sql === 'rollback' && !database.isTransaction
      return toKyselyStatement(database.prepare(isRolledBack ? 'SELECT 1 WHERE 0' : sql))
    },
  }
}

function toKyselyStatement(statement: StatementSync): SqliteStatement {
  // Kysely types parameters as unknown; SQLite throws on a value it cannot bind.
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[]
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)),
    run: (parameters) => statement.run(...values(parameters)),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  }
}
