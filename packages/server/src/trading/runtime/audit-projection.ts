import { hash } from 'node:crypto'
import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { encodeEntry, type Instruments, type JournalEntry, seq, standardInstruments } from '@binnacle/engine'
import { recordsOfEntry } from '#services/audit/journal-audit-record.ts'
import type { AuditStore, JournalMark } from '#storage/admin/audit-store.ts'
import { type PendingRecord, serverAuditContext } from '#storage/audit/audit-context.ts'
import type { DeskClient } from './desk-client.ts'

/** Copies people's actions from the trading journal to the audit log, in the background (0010). */
export interface AuditProjection {
  /** Resolves with true once all entries so far are in the log; with false after a second. */
  settled(): Promise<boolean>
  /** Writes the rest within the grace period and stops. Called before desk and store are closed. */
  close(graceMs: number): Promise<void>
}

export interface AuditProjectionOptions {
  desk: Pick<DeskClient, 'entriesAfter' | 'rows'>
  audit: Pick<AuditStore, 'journalMark' | 'appendFromJournal'>
  /** Called with the failure that made it start again. */
  onFault?: (fault: unknown) => void
  instruments?: Instruments
  /** Delay before a retry. */
  retryMs?: number
  /** Shortest pause after a batch. */
  minPauseMs?: number
}

/** A batch blocks the thread that answers requests, so it is small. */
const MAX_BATCH_RECORDS = 50
const MAX_BATCH_ENTRIES = 500
/** The pause after a batch, as a multiple of its duration. */
const PAUSE_FACTOR = 20
/** The pause is longer while the desk or this thread is busy with orders. */
const MAX_PAUSE_MS = 500
const BUSY_DESK_PAUSE_MS = 500
const BUSY_DESK_ENTRIES_PER_MS = 0.1
const BUSY_THREAD_PAUSE_MS = 2000
const BUSY_THREAD_SHARE = 0.5
/** Entries without an audit record move the stored mark only this often; after a crash they are read again. */
const MARK_EVERY_ENTRIES = 5000
const RETRY_MS = 5000
const SETTLED_WITHIN_MS = 1000
/** The rest is written after the next start. */
const CLOSED_WITHIN_MS = 2000

export function startAuditProjection(options: AuditProjectionOptions): AuditProjection {
  const projection = new JournalFollower(options)
  void projection.run()
  return projection
}

class JournalFollower implements AuditProjection {
  readonly #options: AuditProjectionOptions
  readonly #instruments: Instruments
  #reached = 0
  #marked = 0
  /** The current batch: its records, its number of entries and its start. */
  #due: PendingRecord[] = []
  #read = 0
  #begun = 0
  #write: Promise<void> = Promise.resolve()
  #waiters: { seq: number; resolve: () => void }[] = []
  #isClosing = false
  /** Ends the pause that is under way. */
  #pausing = new AbortController()
  #reportedFault: string | undefined
  #stopping = new AbortController()

  constructor(options: AuditProjectionOptions) {
    this.#options = options
    this.#instruments = options.instruments ?? standardInstruments()
  }

  /** After a failure it continues from the mark, which is stored in the same transaction as the records. */
  async run(): Promise<void> {
    while (!this.#isStopped) {
      try {
        await this.#follow()
        return
      } catch (fault) {
        if (this.#isStopped) return
        this.#report(fault)
        await sleep(this.#options.retryMs ?? RETRY_MS, this.#stopping.signal)
      }
    }
  }

  settled(): Promise<boolean> {
    return this.#reaching(this.#options.desk.rows.revision, SETTLED_WITHIN_MS)
  }

  async close(graceMs: number): Promise<void> {
    this.#isClosing = true
    await this.#reaching(this.#options.desk.rows.revision, Math.min(graceMs, CLOSED_WITHIN_MS))
    this.#stopping.abort()
    this.#pausing.abort()
    await this.#write.catch(() => {})
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted
  }

  async #follow(): Promise<void> {
    const { desk } = this.#options
    const { seq: from } = await this.#beginning()
    this.#due = []
    this.#read = 0
    this.#marked = from
    this.#reach(from)
    for await (const entry of desk.entriesAfter(seq(from))) {
      if (this.#isStopped) return
      this.#take(entry)
      if (!this.#isFull && entry.seq < desk.rows.revision) continue
      await this.#flush(entry)
      await this.#throttle(performance.now() - this.#begun)
    }
  }

  #take(entry: JournalEntry): void {
    if (this.#read === 0) this.#begun = performance.now()
    this.#read += 1
    this.#due.push(...recordsOfEntry(entry, this.#instruments))
  }

  get #isFull(): boolean {
    return this.#due.length >= MAX_BATCH_RECORDS || this.#read >= MAX_BATCH_ENTRIES
  }

  /** Reports the same failure once, however often it is retried. */
  #report(fault: unknown): void {
    const text = String(fault)
    if (text !== this.#reportedFault) this.#options.onFault?.(fault)
    this.#reportedFault = text
  }

  async #flush(last: JournalEntry): Promise<void> {
    if (this.#due.length > 0 || last.seq - this.#marked >= MARK_EVERY_ENTRIES) {
      this.#write = this.#options.audit.appendFromJournal(this.#due, { seq: last.seq, print: printOf(last) })
      await this.#write
      this.#due = []
      this.#marked = last.seq
      this.#reportedFault = undefined
    }
    this.#read = 0
    this.#reach(last.seq)
  }

  /** The entry to continue from. If the marked entry differs, the journal was replaced by another one. */
  async #beginning(): Promise<JournalMark> {
    const { audit } = this.#options
    const mark = await audit.journalMark()
    if (mark.seq === 0 || (await this.#isOurs(mark))) return mark
    await audit.appendFromJournal([replacedAfter(mark)], NOTHING_READ)
    return NOTHING_READ
  }

  async #isOurs({ seq: marked, print }: JournalMark): Promise<boolean> {
    const { desk } = this.#options
    if (desk.rows.revision < marked) return false
    for await (const entry of desk.entriesAfter(seq(marked - 1))) return printOf(entry) === print
    return false
  }

  #reach(reached: number): void {
    this.#reached = reached
    const [met, unmet] = [this.#waiters.filter(isMet), this.#waiters.filter((waiter) => !isMet(waiter))]
    this.#waiters = unmet
    for (const { resolve } of met) resolve()

    function isMet(waiter: { seq: number }): boolean {
      return waiter.seq <= reached
    }
  }

  async #reaching(target: number, withinMs: number): Promise<boolean> {
    if (this.#reached < target && !this.#isStopped) {
      const over = new AbortController()
      const late = wait(withinMs, undefined, { signal: over.signal }).catch(() => {})
      const { promise: met, resolve } = Promise.withResolvers<void>()
      const waiter = { seq: target, resolve }
      this.#waiters.push(waiter)
      this.#pausing.abort()
      await Promise.race([met, late])
      over.abort()
      this.#waiters = this.#waiters.filter((each) => each !== waiter)
    }
    return this.#reached >= target
  }

  async #throttle(tookMs: number): Promise<void> {
    const { desk } = this.#options
    const [seqBefore, before] = [desk.rows.revision, performance.eventLoopUtilization()]
    const pauseMs = Math.max(this.#options.minPauseMs ?? 0, Math.min(PAUSE_FACTOR * tookMs, MAX_PAUSE_MS))
    await this.#pause(pauseMs)
    const isThreadBusy = performance.eventLoopUtilization(before).utilization > BUSY_THREAD_SHARE
    const isDeskBusy = desk.rows.revision - seqBefore > BUSY_DESK_ENTRIES_PER_MS * pauseMs
    if (isThreadBusy) await this.#pause(BUSY_THREAD_PAUSE_MS)
    else if (isDeskBusy) await this.#pause(BUSY_DESK_PAUSE_MS)
  }

  /** A reader does not wait for pauses: it ends the one under way, and is served without further ones. */
  async #pause(ms: number): Promise<void> {
    if (this.#isClosing || this.#waiters.length > 0) return setImmediate()
    this.#pausing = new AbortController()
    await sleep(ms, this.#pausing.signal)
  }
}

/** Ends early on the signal. */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal, ref: false }).catch(() => {})
}

const NOTHING_READ: JournalMark = { seq: 0, print: '' }

function printOf(entry: JournalEntry): string {
  return hash('sha256', encodeEntry(entry))
}

function replacedAfter({ seq: marked }: JournalMark): PendingRecord {
  return {
    audit: serverAuditContext('audit.follow'),
    change: {
      entity: 'trading-journal',
      target: 'journal',
      before: { journal_entry: marked },
      after: {
        journal_entry: 0,
        note: 'The trading journal was replaced by another one, which is recorded from its beginning.',
      },
    },
    at: new Date(),
  }
}
