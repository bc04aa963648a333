import { sql } from 'kysely'
import {
  type AuditChange,
  type AuditContext,
  type PendingRecord,
  serverAuditContext,
} from '#storage/audit/audit-context.ts'
import type { ChainedRecord, ChainHead } from '#storage/audit/chain.ts'
import type { HeadMarker } from '#storage/audit/head-marker.ts'
import {
  type AuditLoss,
  COMPARE_ACTION,
  findOpenLosses,
  LOSS_ACTIONS,
  lossOf,
} from '#storage/audit/losses.ts'
import type { AdminDb, AdminTransaction } from './admin-tables.ts'
import { type AuditVerdict, createAuditVerifier } from './audit-verifier.ts'
import { type Audited, appendRecords, done } from './audited.ts'

export interface AuditStore {
  /** For changes outside this store: one record before the change and one with its outcome. */
  record(audit: AuditContext, change: AuditChange): Promise<void>
  /** Newest first, below that number. */
  page(filter: AuditFilter, beforeSeq: number, limit: number): Promise<ChainedRecord[]>
  /** Oldest first, up to the newest record at the time of the call. */
  batches(filter: AuditFilter): AsyncGenerator<ChainedRecord[]>
  /** The fault of the chain; of an intact one the first loss that nobody has acknowledged. */
  verify(): Promise<AuditVerdict>
  head(): Promise<ChainHead>
  /** The hash of a record; undefined if no record has this number. */
  hashAt(seq: number): Promise<string | undefined>
  /** The highest number n of the targets '{prefix}n' of an entity; 0 without any. */
  highestTarget(entity: string, prefix: string): Promise<number>
  /** Oldest first: changes of this store that were lost with their records, until a person acknowledges it. */
  openLosses(): Promise<AuditLoss[]>
  /** Appends records of what another system did; they are on the disk when this ends. */
  append(records: readonly PendingRecord[]): Promise<void>
  /** How far the trading journal has been copied. */
  journalPosition(): Promise<JournalPosition>
  /** Appends records of journal entries and moves the position in one transaction, so that no entry is recorded twice. */
  appendFromJournal(records: readonly PendingRecord[], position: JournalPosition): Promise<void>
  /** The log as a further engine uses it: its targets carry its name, and its journal has a position of its own. */
  forEngine(engine: string): EngineAudit
}

/** The audit records of one engine. */
export type EngineAudit = Pick<
  AuditStore,
  'page' | 'highestTarget' | 'append' | 'journalPosition' | 'appendFromJournal'
>

/** The last copied entry of the trading journal. */
export interface JournalPosition {
  seq: number
  /** Fingerprint of the entry's text, which differs in another journal. */
  fingerprint: string
}

export interface AuditFilter {
  from?: string | undefined
  /** Exclusive. */
  to?: string | undefined
  actor?: string | undefined
  action?: string | undefined
  entity?: string | undefined
  target?: string | undefined
  request_id?: string | undefined
}

const BATCH_RECORDS = 500

interface AuditStoreOptions {
  db: AdminDb
  audited: Audited
  file: string
  marker: HeadMarker
}

/** Compares the log with its marker and records a loss. */
export async function openAuditStore({ db, audited, file, marker }: AuditStoreOptions): Promise<AuditStore> {
  const lost = await findLost(db, marker.read())
  if (lost !== undefined)
    await audited(serverAuditContext(COMPARE_ACTION), async () => done(undefined, lossOf(lost)))
  const verifyChain = createAuditVerifier(file)
  const page: AuditStore['page'] = (filter, beforeSeq, limit) =>
    selectMatching(db, filter).where('seq', '<', beforeSeq).orderBy('seq', 'desc').limit(limit).execute()
  const append: AuditStore['append'] = async (records) => {
    await db.transaction().execute((tx) => appendRecords(tx, records))
  }
  const highestTarget: AuditStore['highestTarget'] = async (entity, prefix) => {
    const numbers = db
      .selectFrom('audit_log')
      .select(sql<number | null>`max(CAST(substr(target, ${prefix.length + 1}) AS INTEGER))`.as('highest'))
      .where('entity', '=', entity)
      .where('target', 'like', `${prefix}%`)
    return (await numbers.executeTakeFirstOrThrow()).highest ?? 0
  }
  return {
    async openLosses() {
      const records = db.selectFrom('audit_log').select(['seq', 'at', 'action', 'target', 'before'])
      return findOpenLosses(await records.where('action', 'in', LOSS_ACTIONS).orderBy('seq').execute())
    },
    async record(audit, change) {
      await audited(audit, async () => done(undefined, change))
    },
    page,
    async *batches(filter) {
      const { seq: end } = await db.selectFrom('audit_head').select('seq').executeTakeFirstOrThrow()
      let after = 0
      for (;;) {
        const batch = await selectMatching(db, filter)
          .where('seq', '>', after)
          .where('seq', '<=', end)
          .orderBy('seq')
          .limit(BATCH_RECORDS)
          .execute()
        const last = batch.at(-1)
        if (last === undefined) return
        yield batch
        after = last.seq
      }
    },
    async verify() {
      const verdict = await verifyChain()
      return { ...verdict, fault: verdict.fault ?? verdict.loss }
    },
    head: () => db.selectFrom('audit_head').select(['seq', 'hash']).executeTakeFirstOrThrow(),
    async hashAt(seq) {
      const found = db.selectFrom('audit_log').select('hash').where('seq', '=', seq)
      return (await found.executeTakeFirst())?.hash
    },
    highestTarget,
    append,
    journalPosition: () =>
      db.selectFrom('audit_journal_mark').select(['seq', 'print as fingerprint']).executeTakeFirstOrThrow(),
    appendFromJournal: (records, { seq, fingerprint }) =>
      commitWithoutSync(db, async (tx) => {
        await appendRecords(tx, records)
        await tx.updateTable('audit_journal_mark').set({ seq, print: fingerprint }).execute()
      }),
    forEngine: (engine) => {
      const engineTarget = (target: string) => `${engine}/${target}`
      const withEngineTargets = (records: readonly PendingRecord[]) =>
        records.map(({ change, ...rest }) => ({
          ...rest,
          change: { ...change, target: engineTarget(change.target) },
        }))
      return {
        page: ({ target, ...filter }, beforeSeq, limit) =>
          page({ ...filter, target: target && engineTarget(target) }, beforeSeq, limit),
        highestTarget: (entity, prefix) => highestTarget(entity, engineTarget(prefix)),
        append: (records) => append(withEngineTargets(records)),
        async journalPosition() {
          const marks = db.selectFrom('audit_engine_marks').select(['seq', 'print as fingerprint'])
          return (await marks.where('engine', '=', engine).executeTakeFirst()) ?? { seq: 0, fingerprint: '' }
        },
        appendFromJournal: (records, { seq, fingerprint }) =>
          commitWithoutSync(db, async (tx) => {
            await appendRecords(tx, withEngineTargets(records))
            await tx
              .insertInto('audit_engine_marks')
              .values({ engine, seq, print: fingerprint })
              .onConflict((conflict) => conflict.column('engine').doUpdateSet({ seq, print: fingerprint }))
              .execute()
          }),
      }
    },
  }
}

async function findLost(db: AdminDb, marked: ChainHead | undefined): Promise<ChainHead | undefined> {
  if (marked === undefined) return undefined
  const found = db.selectFrom('audit_log').select('seq').where('seq', '=', marked.seq)
  return (await found.where('hash', '=', marked.hash).executeTakeFirst()) === undefined ? marked : undefined
}

/**
 * Commits without waiting for the disk, for records that can be copied again. A power failure can lose the transaction
 * with its mark, as long as no other commit followed it.
 */
function commitWithoutSync(db: AdminDb, work: (tx: AdminTransaction) => Promise<void>): Promise<void> {
  return db.connection().execute(async (connection) => {
    await sql`PRAGMA synchronous = NORMAL`.execute(connection)
    try {
      await connection.transaction().execute(work)
    } finally {
      await sql`PRAGMA synchronous = FULL`.execute(connection)
    }
  })
}

function selectMatching(db: AdminDb, filter: AuditFilter) {
  return db
    .selectFrom('audit_log')
    .selectAll()
    .$if(filter.from !== undefined, (query) => query.where('at', '>=', filter.from ?? ''))
    .$if(filter.to !== undefined, (query) => query.where('at', '<', filter.to ?? ''))
    .$if(filter.actor !== undefined, (query) => query.where('actor', '=', filter.actor ?? ''))
    .$if(filter.action !== undefined, (query) => query.where('action', '=', filter.action ?? ''))
    .$if(filter.entity !== undefined, (query) => query.where('entity', '=', filter.entity ?? ''))
    .$if(filter.target !== undefined, (query) => query.where('target', '=', filter.target ?? ''))
    .$if(filter.request_id !== undefined, (query) => query.where('request_id', '=', filter.request_id ?? ''))
}
