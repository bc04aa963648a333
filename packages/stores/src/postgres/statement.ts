import type { ResultColumn } from '@binnacle/contract'
import type { ClientBase } from 'pg'
import { createCollector } from '#collect-rows.ts'
import type { ResultCaps, StatementResult, Target } from '#driver.ts'
import { type CalledFunction, findUnsafe } from '#postgres/guard/functions.ts'
import { readOnlyConnection, StoreRefusal } from '#store-refusal.ts'
import { ATTRIBUTE_ADVICE, type ClassifiedStatement, classifyStatement, notCallable } from './guard.ts'
import { readBatches } from './row-cursor.ts'
import { decoderOf } from './rows.ts'
import { inTransaction, type Session, type TransactionOptions } from './session.ts'
import type { ValueTypes } from './value-types.ts'

interface AdmissionContext {
  target: Target
  session: Session
  transaction: TransactionOptions
}

/** Refuses a statement that this connection may not run. Functions are looked up in the server's catalogue. */
export async function admitStatement(
  text: string,
  { target, session, transaction }: AdmissionContext,
  signal: AbortSignal,
): Promise<ClassifiedStatement> {
  const classified = await classifyStatement(text)
  if (classified.kind === 'write' && !target.writable) throw readOnlyConnection()
  if (classified.functions.length === 0) return classified
  const unsafe = await inTransaction(session, transaction, signal, (client) =>
    findUnsafe(client, classified.functions),
  )
  if (unsafe === undefined) return classified
  if (unsafe.verdict === 'forbidden') throw notCallable(unsafe)
  if (!target.writable) throw mayChangeData(unsafe)
  return { ...classified, kind: 'write' }
}

function mayChangeData({ name, way }: CalledFunction): StoreRefusal {
  if (way === 'operator') return readOnlyConnection(`The operator ${name} may change data`)
  if (way === 'cast') return readOnlyConnection(`The cast to ${name} may change data`)
  const { code, message } = readOnlyConnection(`The function ${name} may change data`)
  return new StoreRefusal(code, way === 'attribute' ? `${message} ${ATTRIBUTE_ADVICE}` : message)
}

/** Runs one statement and collects its rows up to the caps. A write always runs to its end. */
export async function collectResult(
  client: ClientBase,
  statement: string,
  { caps, types, isWrite }: { caps: ResultCaps; types: ValueTypes; isWrite: boolean },
): Promise<StatementResult> {
  const collector = createCollector(caps)
  let columns: ResultColumn[] = []
  let rowsAffected = isWrite ? 0 : null
  for await (const batch of readBatches(client, { text: statement, values: [] })) {
    const decoder = decoderOf(batch, types)
    columns = decoder.columns
    const isWithinCaps = batch.rows.every((row) => collector.add(decoder.decode(row)))
    if (isWrite) rowsAffected = batch.rowCount ?? 0
    else if (!isWithinCaps) break
  }
  return { columns, ...collector.end(columns), rowsAffected }
}
