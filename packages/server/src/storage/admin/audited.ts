import assert from 'node:assert/strict'
import type { Result } from '@binnacle/engine'
import { sql } from 'kysely'
import type { AuditChange, AuditContext, PendingRecord } from '#storage/audit/audit-context.ts'
import { type ChainedRecord, type ChainHead, nextRecord } from '#storage/audit/chain.ts'
import type { AdminDb, AdminTransaction } from './admin-tables.ts'

/** The work's result. A success must describe its changes, so that every change is recorded. */
export type AuditedResult<Value, Reason extends string> =
  | { ok: true; value: Value; changes: readonly AuditChange[] }
  | { ok: false; reason: Reason }

/** Runs a change and its audit record in one transaction. */
export type Audited = <Value, Reason extends string>(
  audit: AuditContext,
  work: (tx: AdminTransaction) => Promise<AuditedResult<Value, Reason>>,
) => Promise<Result<Value, Reason>>

export function createAudited(
  db: AdminDb,
  now: () => Date,
  onCommitted: (head: ChainHead) => void = () => {},
): Audited {
  return async (audit, work) => {
    let head: ChainHead | undefined
    const outcome = await db.transaction().execute(async (tx) => {
      const changesBefore = await countChanges(tx)
      const result = await work(tx)
      if (!result.ok) {
        assert.equal(
          await countChanges(tx),
          changesBefore,
          `${audit.action} refused after it had changed rows`,
        )
        return result
      }
      const at = now()
      head = await appendRecords(
        tx,
        result.changes.map((change) => ({ audit, change, at })),
      )
      return { ok: true as const, value: result.value }
    })
    if (head !== undefined) onCommitted(head)
    return outcome
  }
}

export function done<Value>(value: Value, ...changes: [AuditChange, ...AuditChange[]]) {
  return { ok: true, value, changes } as const
}

export function refused<const Reason extends string>(reason: Reason) {
  return { ok: false, reason } as const
}

/** Appends records to the chain, within the transaction. Returns the new head. */
export async function appendRecords(
  tx: AdminTransaction,
  due: readonly PendingRecord[],
): Promise<ChainHead | undefined> {
  const head: ChainHead = await tx.selectFrom('audit_head').select(['seq', 'hash']).executeTakeFirstOrThrow()
  const records: ChainedRecord[] = []
  for (const { audit, change, at } of due) records.push(nextRecord(records.at(-1) ?? head, audit, change, at))
  const last = records.at(-1)
  if (last === undefined) return undefined
  await tx.insertInto('audit_log').values(records).execute()
  await tx.updateTable('audit_head').set({ seq: last.seq, hash: last.hash }).execute()
  return last
}

async function countChanges(tx: AdminTransaction): Promise<number> {
  const { rows } = await sql<{ changes: number }>`SELECT total_changes() AS changes`.execute(tx)
  return rows[0]?.changes ?? 0
}
