import type { ResultColumn } from '@binnacle/contract'
import type { ClientBase } from 'pg'
import { createCollector } from '#collect-rows.ts'
import type { BeforeWrite, ResultCaps, StatementResult } from '#driver.ts'
import { type CalledFunction, findUnsafe } from '#postgres/guard/functions.ts'
import { readOnlyConnection, StoreRefusal } from '#store-refusal.ts'
import { watchEveryRow } from './every-row.ts'
import { ATTRIBUTE_ADVICE, notCallable, type ParsedStatement } from './guard.ts'
import { readBatches } from './row-cursor.ts'
import { decoderOf } from './rows.ts'
import type { Transaction } from './session.ts'
import type { ValueTypes } from './value-types.ts'

/** A statement that may run on its connection. Only this is executed, in the transaction in which it was checked. */
export interface AllowedStatement extends ParsedStatement {
  readonly isAllowed: true
}

/** Refuses a statement that this connection may not run. Functions are looked up in the server's catalogue. */
export async function checkStatement(
  client: ClientBase,
  parsed: ParsedStatement,
  { writable }: { writable: boolean },
): Promise<AllowedStatement> {
  const unsafe = await findUnsafe(client, parsed.functions)
  if (unsafe === undefined) return { ...parsed, isAllowed: true }
  if (unsafe.verdict === 'forbidden') throw notCallable(unsafe)
  if (!writable) throw mayChangeData(unsafe)
  return { ...parsed, kind: 'write', isAllowed: true }
}

function mayChangeData({ name, syntax }: CalledFunction): StoreRefusal {
  if (syntax === 'operator') return readOnlyConnection(`The operator ${name} may change data`)
  if (syntax === 'cast') return readOnlyConnection(`The cast to ${name} may change data`)
  const { code, message } = readOnlyConnection(`The function ${name} may change data`)
  return new StoreRefusal(code, syntax === 'attribute' ? `${message} ${ATTRIBUTE_ADVICE}` : message)
}

interface RunOptions {
  caps: ResultCaps
  types: ValueTypes
}

/** Runs a reading statement and collects its rows up to the caps. */
export async function runRead(
  transaction: Transaction,
  { text }: AllowedStatement,
  { caps, types }: RunOptions,
): Promise<StatementResult> {
  await transaction.forbidWrites()
  const collector = createCollector(caps)
  let columns: ResultColumn[] = []
  for await (const batch of readBatches(transaction.client, { text, values: [] })) {
    const decoder = decoderOf(batch, types)
    columns = decoder.columns
    if (!batch.rows.every((row) => collector.add(decoder.decode(row)))) break
  }
  return { columns, ...collector.end(columns), rowsAffected: null }
}

/** Runs a write to its end. It is committed by the caller, unless `beforeWrite` rejects. */
export async function runWrite(
  { client }: Transaction,
  { text, confirm, changes }: AllowedStatement,
  { caps, types, beforeWrite }: RunOptions & { beforeWrite: BeforeWrite },
): Promise<StatementResult> {
  await beforeWrite(confirm)
  const everyRow = await watchEveryRow(client, confirm === undefined ? changes : [])
  const collector = createCollector(caps)
  let columns: ResultColumn[] = []
  let rowsAffected = 0
  for await (const batch of readBatches(client, { text, values: [] })) {
    const decoder = decoderOf(batch, types)
    columns = decoder.columns
    for (const row of batch.rows) {
      if (!collector.add(decoder.decode(row))) break
    }
    rowsAffected = batch.rowCount ?? 0
  }
  const changedEveryRow = await everyRow.confirmationFor(rowsAffected)
  if (changedEveryRow !== undefined) await beforeWrite(changedEveryRow)
  return { columns, ...collector.end(columns), rowsAffected }
}
