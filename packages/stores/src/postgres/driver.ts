import type { Driver, Target } from '#driver.ts'
import { StoreRefusal } from '#store-refusal.ts'
import { connectionOptions } from './connection-options.ts'
import { readPage } from './pages.ts'
import { explainStatement } from './plan.ts'
import { readServerInfo } from './server-info.ts'
import { inTransaction, openSession, type TransactionOptions } from './session.ts'
import { admitStatement, collectResult } from './statement.ts'
import { openExport } from './stream.ts'
import { findTable, listTables, schemaColumns } from './tables.ts'
import { cacheValueTypes } from './value-types.ts'

/** The server's own timeout fires this much later than ours, as a second safeguard. */
const SERVER_TIMEOUT_MARGIN_MS = 1_000

export function createPostgresDriver(target: Target): Driver {
  const connection = connectionOptions(target)
  const session = openSession(connection)
  const internalTransaction: TransactionOptions = {
    access: 'READ ONLY',
    runsUserSql: false,
    timeLimitMs: target.timeLimitMs + SERVER_TIMEOUT_MARGIN_MS,
    acceptsPrivilegedRole: target.writable || target.acceptsPrivilegedRole === true,
  }
  const userTransaction: TransactionOptions = { ...internalTransaction, runsUserSql: true }
  const typesOf = cacheValueTypes()
  const admit = (statement: string, signal: AbortSignal) =>
    admitStatement(statement, { target, session, transaction: internalTransaction }, signal)
  return {
    kind: 'postgresql',
    can: abilitiesOf(target),
    ping: (signal) =>
      inTransaction(session, { ...internalTransaction, acceptsPrivilegedRole: true }, signal, (client) =>
        readServerInfo(client, connection),
      ),
    tables: (signal) => inTransaction(session, internalTransaction, signal, listTables),
    schema: (table, signal) =>
      inTransaction(session, internalTransaction, signal, async (client) => ({
        columns: schemaColumns(await findTable(client, table)),
      })),
    page: (request, signal) =>
      inTransaction(session, internalTransaction, signal, async (client) =>
        readPage(client, request, await typesOf(client)),
      ),
    async check(statement, signal) {
      const { kind, confirm } = await admit(statement, signal)
      return { kind, confirm }
    },
    async run(statement, caps, signal) {
      const isWrite = (await admit(statement, signal)).kind === 'write'
      const options: TransactionOptions = isWrite
        ? { ...userTransaction, access: 'READ WRITE' }
        : userTransaction
      return inTransaction(session, options, signal, async (client) =>
        collectResult(client, statement, { caps, types: await typesOf(client), isWrite }),
      )
    },
    async stream(source, signal) {
      if ('statement' in source && (await admit(source.statement, signal)).kind === 'write') {
        throw new StoreRefusal('store.refused', 'Only the result of a reading statement can be exported.')
      }
      // No statement timeout: an export lasts as long as its client reads. The signal ends it.
      const transaction = await session.begin({ ...userTransaction, timeLimitMs: 0 }, signal)
      return openExport(transaction, source, typesOf)
    },
    explain: (statement, signal) =>
      inTransaction(session, userTransaction, signal, (client) => explainStatement(client, statement)),
    close: () => session.close(),
  }
}

function abilitiesOf({ writable }: Target): Driver['can'] {
  return {
    language: 'sql',
    write: writable,
    explain: true,
    sort: true,
    filter: true,
    backup: true,
    restore: writable,
  }
}
