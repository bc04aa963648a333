import { sql } from 'kysely'
import type { Act, Deed, DueLine } from '#audit/act.ts'
import type { ChainedLine } from '#audit/chain.ts'
import type { AdminDb, AdminTransaction } from './admin-tables.ts'
import { type AuditVerdict, createAuditVerifier } from './audit-verifier.ts'
import { type Audited, appendLines, done } from './audited.ts'

export interface AuditStore {
  /** For what is changed outside this store: one line for the intent before it, one for the outcome after. */
  record(act: Act, deed: Deed): Promise<void>
  /** The newest first, from before that number on. */
  page(filter: AuditFilter, beforeSeq: number, limit: number): Promise<ChainedLine[]>
  /** The oldest first, up to the last there is when it is asked. */
  batches(filter: AuditFilter): AsyncGenerator<ChainedLine[]>
  verify(): Promise<AuditVerdict>
  /** How far the trading journal has become lines here. */
  journalMark(): Promise<JournalMark>
  /** Adds the lines of journal entries and moves the mark, both or neither, so that no entry is told twice. */
  follow(lines: readonly DueLine[], mark: JournalMark): Promise<void>
}

/** The last entry of the trading journal that was looked at. */
export interface JournalMark {
  seq: number
  /** Of the entry's text, by which another journal is known. */
  print: string
}

export interface AuditFilter {
  from?: string | undefined
  /** The first moment that is not included. */
  to?: string | undefined
  actor?: string | undefined
  action?: string | undefined
  entity?: string | undefined
  target?: string | undefined
}

const BATCH_LINES = 500

export function createAuditStore(db: AdminDb, audited: Audited, file: string): AuditStore {
  return {
    async record(act, deed) {
      await audited(act, async () => done(undefined, deed))
    },
    page: (filter, beforeSeq, limit) =>
      matching(db, filter).where('seq', '<', beforeSeq).orderBy('seq', 'desc').limit(limit).execute(),
    async *batches(filter) {
      const { seq: end } = await db.selectFrom('audit_head').select('seq').executeTakeFirstOrThrow()
      let after = 0
      for (;;) {
        const batch = await matching(db, filter)
          .where('seq', '>', after)
          .where('seq', '<=', end)
          .orderBy('seq')
          .limit(BATCH_LINES)
          .execute()
        const last = batch.at(-1)
        if (last === undefined) return
        yield batch
        after = last.seq
      }
    },
    verify: createAuditVerifier(file),
    journalMark: () => db.selectFrom('audit_journal_mark').select(['seq', 'print']).executeTakeFirstOrThrow(),
    follow: (lines, { seq, print }) =>
      withoutWaitingForDisk(db, async (tx) => {
        await appendLines(tx, lines)
        await tx.updateTable('audit_journal_mark').set({ seq, print }).execute()
      }),
  }
}

/**
 * For what is told again if it is lost: requests are not held up while the disk flushes. A power failure can take such a
 * transaction back as a whole, together with its mark, as long as no other commit has followed it.
 */
function withoutWaitingForDisk(db: AdminDb, work: (tx: AdminTransaction) => Promise<void>): Promise<void> {
  return db.connection().execute(async (connection) => {
    await sql`PRAGMA synchronous = NORMAL`.execute(connection)
    try {
      await connection.transaction().execute(work)
    } finally {
      await sql`PRAGMA synchronous = FULL`.execute(connection)
    }
  })
}

function matching(db: AdminDb, filter: AuditFilter) {
  return db
    .selectFrom('audit_log')
    .selectAll()
    .$if(filter.from !== undefined, (query) => query.where('at', '>=', filter.from ?? ''))
    .$if(filter.to !== undefined, (query) => query.where('at', '<', filter.to ?? ''))
    .$if(filter.actor !== undefined, (query) => query.where('actor', '=', filter.actor ?? ''))
    .$if(filter.action !== undefined, (query) => query.where('action', '=', filter.action ?? ''))
    .$if(filter.entity !== undefined, (query) => query.where('entity', '=', filter.entity ?? ''))
    .$if(filter.target !== undefined, (query) => query.where('target', '=', filter.target ?? ''))
}
