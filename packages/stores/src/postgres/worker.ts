import type { ClientBase } from 'pg'
import type { ConnectionConfig } from '#driver.ts'
import { readOnlyConnection, StoreRefusal } from '#store-refusal.ts'
import type { StoreWorker } from '#worker/store-worker.ts'
import { connectionOptions } from './connection-options.ts'
import { classifyStatement, type ParsedStatement } from './guard.ts'
import { EXPORT_LIMITS, PLAN_LIMITS, SCREEN_LIMITS } from './message-limiter.ts'
import { readPage } from './pages.ts'
import { explainStatement } from './plan.ts'
import { readServerInfo } from './server-info.ts'
import { inTransaction, openSession, type TransactionOptions } from './session.ts'
import { checkStatement, runRead, runWrite } from './statement.ts'
import { openExport } from './stream.ts'
import { findTable, listTables, schemaColumns } from './tables.ts'
import { cacheValueTypes } from './value-types.ts'

/** The server's own timeout fires this much later than ours, as a second safeguard. */
const SERVER_TIMEOUT_MARGIN_MS = 1_000

/** Serves one PostgreSQL connection inside a worker process, where its rows are decoded. */
export function openPostgresWorker(config: ConnectionConfig): StoreWorker {
  const connection = connectionOptions(config)
  const session = openSession(connection)
  const internalTransaction: TransactionOptions = {
    access: 'READ ONLY',
    runsUserSql: false,
    timeLimitMs: config.timeLimitMs + SERVER_TIMEOUT_MARGIN_MS,
    acceptsPrivilegedRole: config.writable || config.acceptsPrivilegedRole === true,
    limits: SCREEN_LIMITS,
  }
  // A statement is checked and run in one transaction, which cannot become READ WRITE after the check.
  const userTransaction: TransactionOptions = {
    ...internalTransaction,
    runsUserSql: true,
    access: config.writable ? 'READ WRITE' : 'READ ONLY',
  }
  const typesOf = cacheValueTypes()
  const classify = async (statement: string) => {
    const parsed = await classifyStatement(statement)
    if (parsed.kind === 'write' && !config.writable) throw readOnlyConnection()
    return parsed
  }
  return {
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
    async run(statement, caps, beforeWrite, signal) {
      const parsed = await classify(statement)
      return inTransaction(session, userTransaction, signal, async (client, transaction) => {
        const allowed = await checkStatement(client, parsed, config)
        const types = await typesOf(client)
        return allowed.kind === 'read'
          ? runRead(transaction, allowed, { caps, types })
          : runWrite(transaction, allowed, { caps, types, beforeWrite })
      })
    },
    async stream(source, signal) {
      const parsed = 'statement' in source ? await classify(source.statement) : undefined
      // No statement timeout: an export lasts as long as its client reads. The signal ends it.
      const transaction = await session.begin(
        { ...userTransaction, timeLimitMs: 0, limits: EXPORT_LIMITS },
        signal,
      )
      const { columns, batches } = await openExport(transaction, source, async (client) => {
        if (parsed !== undefined) await requireRead(client, parsed, config)
        await transaction.forbidWrites()
        return typesOf(client)
      })
      return { columns, batches: batches[Symbol.asyncIterator]() }
    },
    explain: (statement, signal) =>
      inTransaction(
        session,
        { ...userTransaction, access: 'READ ONLY', limits: PLAN_LIMITS },
        signal,
        (client) => explainStatement(client, statement),
      ),
  }
}

async function requireRead(
  client: ClientBase,
  parsed: ParsedStatement,
  config: ConnectionConfig,
): Promise<void> {
  const { kind } = await checkStatement(client, parsed, config)
  if (kind === 'write')
    throw new StoreRefusal('store.refused', 'Only the result of a reading statement can be exported.')
}
