import { type QueryResult, RESULT_BYTE_CAP, RESULT_ROW_CAP } from '@binnacle/contract'
import type { Act } from '#audit/act.ts'
import type { AuditStore } from '#storage/admin/audit-store.ts'
import type { StatementsStore } from '#storage/admin/statements-store.ts'
import type { Databases, OpenConnection } from './databases.ts'
import { settle } from './drivers/answer-store.ts'
import type { CheckedStatement, StatementResult, Target } from './drivers/driver.ts'
import { StoreRefusal } from './drivers/store-refusal.ts'
import type { PageMemory } from './page-memory.ts'
import { type LimitedWork, limitWork } from './statement-limit.ts'

export interface Asked {
  query: string
  query_id: string
  confirm?: string | undefined
}

/** The statements of people: run one at a time each, remembered, and stopped when asked. */
export interface Statements {
  /** Throws a StoreRefusal when there is no result at all: no such connection, or a name to be typed first. */
  run(act: Act, connectionId: string, asked: Asked): Promise<QueryResult>
  /** Whether there was anything to stop. */
  cancel(connectionId: string, queryId: string): boolean
  /** Stops all of them and resolves when they are in the history. */
  close(): Promise<void>
}

export interface StatementsNeeds {
  databases: Databases
  statements: StatementsStore
  audit: Pick<AuditStore, 'record'>
  pages: PageMemory
  now: () => Date
}

export function createStatements(needs: StatementsNeeds): Statements {
  const running = new Map<string, Running>()
  return {
    async run(act, connectionId, asked) {
      const open = await needs.databases.open(connectionId)
      const name = runningName(connectionId, asked.query_id)
      if (running.has(name)) throw ID_IN_USE
      const limited = limitWork(open.target.timeLimitMs)
      const result = runOne(needs, { act, open, asked, signal: limited.signal }).finally(() => {
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

interface Running {
  limited: LimitedWork
  result: Promise<QueryResult>
}

interface Run {
  act: Act
  open: OpenConnection
  asked: Asked
  signal: AbortSignal
}

async function runOne(needs: StatementsNeeds, run: Run): Promise<QueryResult> {
  const { open, asked, signal } = run
  const executedAt = needs.now()
  const startMs = performance.now()
  const outcome = await settle(async () => {
    const checked = await open.driver.check(asked.query, signal)
    demandName(checked, asked)
    return checked.kind === 'read' ? perform(run) : performAudited(needs, run)
  })
  if (!outcome.ok && outcome.refusal.code === 'statement.confirm') throw outcome.refusal
  const execution_time = Math.round(performance.now() - startMs) / 1000
  const error = outcome.ok ? '' : withAdvice(outcome.refusal, open.target)
  await needs.statements.remember({
    connection_id: open.target.id,
    query: asked.query,
    status: outcome.ok ? 'success' : 'failed',
    executed_at: executedAt.toISOString(),
    execution_time,
    error_message: outcome.ok ? null : error,
  })
  if (!outcome.ok) return { success: false, error, execution_time }
  return { success: true, execution_time, ...resultToWire(outcome.value) }
}

function perform({ open, asked, signal }: Run): Promise<StatementResult> {
  return open.driver.run(asked.query, { rows: RESULT_ROW_CAP, bytes: RESULT_BYTE_CAP }, signal)
}

/** What it changes lies outside our store, so the log has a line for the intent and one for the outcome. */
async function performAudited(needs: StatementsNeeds, run: Run): Promise<StatementResult> {
  const { id } = run.open.target
  const statement = run.asked.query
  const line = (after: unknown) =>
    needs.audit.record(run.act, { entity: 'statement', target: id, before: null, after })
  await line({ statement, state: 'asked' })
  const outcome = await settle(() => perform(run))
  needs.pages.forget(id)
  await line(
    outcome.ok
      ? { statement, state: 'done', rows: outcome.value.rowsAffected }
      : { statement, state: 'failed', error: outcome.refusal.message },
  )
  if (!outcome.ok) throw outcome.refusal
  return outcome.value
}

/** What to do about a connection that only reads, where anything can be done. */
function withAdvice({ code, message }: StoreRefusal, { writable, isOwn, kind }: Target): string {
  const canBeWritable = !writable && isOwn !== true && kind !== 'parquet'
  return code === 'store.read-only' && canBeWritable
    ? `${message} Edit the connection and make it writable to run this.`
    : message
}

function demandName({ confirm: wanted }: CheckedStatement, { confirm: typed }: Asked): void {
  if (wanted === undefined || wanted.table === typed) return
  throw new StoreRefusal('statement.confirm', `${wanted.sentence} Type ${wanted.table} to go on.`, [
    { field: 'body.confirm', message: `must be ${wanted.table}`, expected: wanted.table },
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
    return `Only the first ${shown} rows: results end ${end[cut]}. An export has them all.`
  if (rowsAffected === null) return null
  return rowsAffected === 1 ? '1 row changed' : `${rowsAffected.toLocaleString('en-US')} rows changed`
}

function runningName(connectionId: string, queryId: string): string {
  return JSON.stringify([connectionId, queryId])
}

const ID_IN_USE = new StoreRefusal('request.invalid', 'A statement with this query_id is running.', [
  { field: 'body.query_id', message: 'is the id of a running statement' },
])
