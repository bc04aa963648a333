import { type QueryResult, RESULT_BYTE_CAP, RESULT_ROW_CAP } from '@binnacle/contract'
import type { Confirmation, ConnectionConfig, StatementResult } from '@binnacle/stores'
import { StoreRefusal } from '@binnacle/stores'
import { Refused, ThrownRefusal } from '#http/problems.ts'
import type { TtlCache } from '#services/ttl-cache.ts'
import type { AuditStore } from '#storage/admin/audit-store.ts'
import type { StatementsStore } from '#storage/admin/statements-store.ts'
import type { AuditContext } from '#storage/audit/audit-context.ts'
import { maskMessage } from '#storage/audit/mask-statement.ts'
import type { Databases, OpenConnection } from './databases.ts'
import type { PageKeyCache } from './page-key-cache.ts'
import { type LimitedWork, limitWork } from './statement-limit.ts'
import { catchRefusal, type StoreResult } from './store-refusals.ts'

export interface StatementRequest {
  query: string
  query_id: string
  confirm?: string | undefined
}

/** Runs the users' statements, records them in the history and cancels them on request. */
export interface Statements {
  /** Throws a StoreRefusal for an unknown connection or a missing confirmation. The signal is that of the client. */
  run(
    audit: AuditContext,
    connectionId: string,
    request: StatementRequest,
    client: AbortSignal,
  ): Promise<QueryResult>
  /** Returns whether the statement was running. */
  cancel(connectionId: string, queryId: string): boolean
  /** Cancels all statements and resolves when they are in the history. */
  close(): Promise<void>
}

export interface StatementsOptions {
  databases: Databases
  statementStore: StatementsStore
  audit: Pick<AuditStore, 'record'>
  pages: PageKeyCache
  cache: Pick<TtlCache, 'invalidate'>
  now: () => Date
}

export function createStatements(options: StatementsOptions): Statements {
  const running = new Map<string, RunningStatement>()
  return {
    async run(audit, connectionId, request, client) {
      const open = await options.databases.open(connectionId)
      const name = runningName(connectionId, request.query_id)
      if (running.has(name)) throw ID_IN_USE
      const limited = limitWork(open.config.timeLimitMs, client)
      const result = runAndRecord(options, { audit, open, request, signal: limited.signal }).finally(() => {
        running.delete(name)
        limited.done()
      })
      running.set(name, { limited, result })
      return result
    },
    cancel(connectionId, queryId) {
      const found = running.get(runningName(connectionId, queryId))
      found?.limited.cancel()
      return found !== undefined
    },
    async close() {
      for (const { limited } of running.values()) limited.cancel()
      await Promise.allSettled([...running.values()].map(({ result }) => result))
    },
  }
}

/** With a fault the statement may have run. */
type StatementOutcome = StoreResult<StatementResult> | { ok: false; refusal: StoreRefusal; fault: unknown }

interface RunningStatement {
  limited: LimitedWork
  result: Promise<QueryResult>
}

interface StatementRun {
  audit: AuditContext
  open: OpenConnection
  request: StatementRequest
  signal: AbortSignal
}

async function runAndRecord(options: StatementsOptions, run: StatementRun): Promise<QueryResult> {
  const { open, request } = run
  const executedAt = options.now()
  const startMs = performance.now()
  const outcome = await runAudited(options, run)
  if (!outcome.ok && outcome.refusal.code === 'statement.confirm') throw outcome.refusal
  const execution_time = Math.round(performance.now() - startMs) / 1000
  const error = outcome.ok ? '' : withAdvice(outcome.refusal, open.config)
  const adding = options.statementStore.addToHistory({
    connection_id: open.config.id,
    query: request.query,
    status: outcome.ok ? 'success' : 'failed',
    executed_at: executedAt.toISOString(),
    execution_time,
    error_message: outcome.ok ? null : error,
  })
  if ('fault' in outcome) {
    await adding.catch(() => {})
    throw new ThrownRefusal(new Refused('server.fault', OUTCOME_UNKNOWN), { cause: outcome.fault })
  }
  await adding
  if (!outcome.ok) return { success: false, error, execution_time }
  return { success: true, execution_time, ...resultToWire(outcome.value) }
}

/** A write outside our own store gets two audit records, one before it runs and one with its outcome. */
async function runAudited(
  options: StatementsOptions,
  { open: { driver, config }, audit, request, signal }: StatementRun,
): Promise<StatementOutcome> {
  const caps = { rows: RESULT_ROW_CAP, bytes: RESULT_BYTE_CAP }
  const statement = request.query
  const record = (after: unknown) =>
    options.audit.record(audit, { entity: 'statement', target: config.id, before: null, after })
  let isWrite = false
  const recordWriteStart = async () => {
    if (!isWrite) await record({ statement, state: 'asked' })
    isWrite = true
  }
  const beforeWrite = async (confirm: Confirmation | undefined) => {
    requireConfirmation(confirm, request, config)
    await recordWriteStart()
  }
  const invalidate = () => {
    options.pages.invalidate(config.id)
    options.cache.invalidate(config.id)
  }
  try {
    const outcome = await catchRefusal(() => driver.run(statement, caps, signal, beforeWrite))
    if (!isWrite) return outcome
    invalidate()
    await record(
      outcome.ok
        ? { statement, state: 'done', rows: outcome.value.rowsAffected }
        : { statement, state: 'failed', error: maskMessage(outcome.refusal.message, statement) },
    )
    return outcome
  } catch (fault) {
    if (!isWrite) throw fault
    invalidate()
    // The reply says so in any case; a store that is full takes no record either.
    await record({ statement, state: 'unknown' }).catch(() => {})
    return { ok: false, refusal: new StoreRefusal('store.refused', OUTCOME_UNKNOWN), fault }
  }
}

/** Adds what to do, where the connection can be made writable. */
function withAdvice({ code, message }: StoreRefusal, { writable, isOwn, kind }: ConnectionConfig): string {
  const canBeWritable = !writable && isOwn !== true && kind !== 'parquet'
  return code === 'store.read-only' && canBeWritable
    ? `${message} Make the connection writable to run it.`
    : message
}

function requireConfirmation(
  confirm: Confirmation | undefined,
  request: StatementRequest,
  { kind }: ConnectionConfig,
): void {
  if (confirm === undefined || confirm.table === request.confirm) return
  const name = kind === 'redis' ? `"${confirm.table}"` : `the table name "${confirm.table}"`
  throw new StoreRefusal('statement.confirm', `${confirm.sentence} Type ${name} to confirm.`, [
    { field: 'body.confirm', message: `must be ${confirm.table}`, expected: confirm.table },
  ])
}

function resultToWire({ columns, rows, rowsAffected, cut }: StatementResult) {
  return {
    rows: columns.length === 0 ? null : rows,
    rows_affected: rowsAffected,
    columns,
    message: messageOf(rows.length, rowsAffected, cut),
    is_cut: cut !== undefined,
  }
}

function messageOf(
  rowCount: number,
  rowsAffected: number | null,
  cut: StatementResult['cut'],
): string | null {
  const shown = rowCount.toLocaleString('en-US')
  const end = { rows: `at ${RESULT_ROW_CAP.toLocaleString('en-US')} rows`, bytes: 'at 16 MiB' }
  if (cut !== undefined)
    return `Only the first ${shown} rows: results are cut ${end[cut]}. An export contains all rows.`
  if (rowsAffected === null) return null
  return rowsAffected === 1 ? '1 row changed' : `${rowsAffected.toLocaleString('en-US')} rows changed`
}

function runningName(connectionId: string, queryId: string): string {
  return JSON.stringify([connectionId, queryId])
}

const OUTCOME_UNKNOWN =
  'The server failed while the statement ran, so it may have changed the data. Check the data before you run it again.'

const ID_IN_USE = new StoreRefusal('request.invalid', 'A statement with this query_id is running.', [
  { field: 'body.query_id', message: 'is the id of a running statement' },
])
