import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { Kysely, SqliteAdapter, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely'

const BUSY_TIMEOUT_MS = 5000

/**
 * Opens one of our own stores. A commit is on the disk when it returns (synchronous=FULL). Underneath all
 * is synchronous and on one connection: inside a transaction await nothing but that transaction's queries.
 */
export function openSqlite<Schema>(file: string): Kysely<Schema> {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: BUSY_TIMEOUT_MS })
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  return new Kysely({ dialect: new TransactionalSqliteDialect({ database: asKyselyWants(database) }) })
}

/** SQLite can roll back a change of tables; told so, Kysely runs each migration as a whole or not at all. */
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

function asKyselyWants(database: DatabaseSync): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(sql) {
      // On a full disk SQLite has rolled back by itself, and the failure of a second time would hide the first.
      const isRolledBack = sql === 'rollback' && !database.isTransaction
      return statementAsKyselyWants(database.prepare(isRolledBack ? 'SELECT 1 WHERE 0' : sql))
    },
  }
}

function statementAsKyselyWants(statement: StatementSync): SqliteStatement {
  // Kysely types parameters as unknown; SQLite itself throws on a value it cannot hold.
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[]
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)),
    run: (parameters) => statement.run(...values(parameters)),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  }
}
