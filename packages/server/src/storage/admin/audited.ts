import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Act, Deed, DueLine } from '#audit/act.ts'
import { type ChainedLine, type ChainHead, chainDeed } from '#audit/chain.ts'
import type { AdminDb, AdminTransaction } from './admin-tables.ts'

/** What came of an act: its result, or why it was not done. */
export type Outcome<Value, Reason extends string> = { ok: true; value: Value } | { ok: false; reason: Reason }

/** What the work of an act reports. Nothing can be done without saying what, so nothing is done unrecorded. */
export type Work<Value, Reason extends string> =
  | { ok: true; value: Value; deed: Deed }
  | { ok: false; reason: Reason }

/** Runs one act in one transaction with its line of the audit log: both are stored or neither is. */
export type Audited = <Value, Reason extends string>(
  act: Act,
  work: (tx: AdminTransaction) => Promise<Work<Value, Reason>>,
) => Promise<Outcome<Value, Reason>>

export function createAudited(db: AdminDb, now: () => Date): Audited {
  return (act, work) =>
    db.transaction().execute(async (tx) => {
      const changesBefore = await countChanges(tx)
      const done = await work(tx)
      if (!done.ok) {
        assert.equal(await countChanges(tx), changesBefore, `${act.action} refused after it had changed rows`)
        return done
      }
      await appendLines(tx, [{ act, deed: done.deed, at: now() }])
      return { ok: true, value: done.value }
    })
}

export function done<Value>(value: Value, deed: Deed) {
  return { ok: true, value, deed } as const
}

export function refused<const Reason extends string>(reason: Reason) {
  return { ok: false, reason } as const
}

/** Chains lines to the last there is, all or none with the rest of the transaction. */
export async function appendLines(tx: AdminTransaction, due: readonly DueLine[]): Promise<void> {
  const head: ChainHead = await tx.selectFrom('audit_head').select(['seq', 'hash']).executeTakeFirstOrThrow()
  const lines: ChainedLine[] = []
  for (const { act, deed, at } of due) lines.push(chainDeed(lines.at(-1) ?? head, act, deed, at))
  const last = lines.at(-1)
  if (last === undefined) return
  await tx.insertInto('audit_log').values(lines).execute()
  await tx.updateTable('audit_head').set({ seq: last.seq, hash: last.hash }).execute()
}

async function countChanges(tx: AdminTransaction): Promise<number> {
  const { rows } = await sql<{ changes: number }>`SELECT total_changes() AS changes`.execute(tx)
  return rows[0]?.changes ?? 0
}
