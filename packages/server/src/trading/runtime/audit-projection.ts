import { hash } from 'node:crypto'
import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import {
  encodeEntry,
  type Instruments,
  type JournalEntry,
  seqFrom,
  standardInstruments,
} from '@binnacle/engine'
import { recordsOfEntry } from '#services/audit/journal-audit-record.ts'
import type { AuditStore, JournalPosition } from '#storage/admin/audit-store.ts'
import { type PendingRecord, serverAuditContext } from '#storage/audit/audit-context.ts'
import type { DeskClient } from './desk-client.ts'

/** Copies people's actions from the trading journal to the audit log, in the background (0010). */
export interface AuditProjection {
  /** Resolves with true once all entries so far are in the log; with false after a second. */
  waitUntilCurrent(): Promise<boolean>
  /** Writes the rest within the grace period and stops. Called before desk and store are closed. */
  close(graceMs: number): Promise<void>
}

export interface AuditProjectionOptions {
  desk: Pick<DeskClient, 'entriesAfter' | 'views'>
  audit: Pick<AuditStore, 'journalPosition' | 'appendFromJournal'>
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
/** Entries without an audit record move the stored position only this often; after a crash they are read again. */
const STORE_POSITION_EVERY_ENTRIES = 5000
const RETRY_MS = 5000
const WAIT_TIMEOUT_MS = 1000
/** The rest is written after the next start. */
const CLOSE_TIMEOUT_MS = 2000

export function startAuditProjection(options: AuditProjectionOptions): AuditProjection {
  const projection = new JournalFollower(options)
  void projection.run()
  return projection
}

class JournalFollower implements AuditProjection {
  readonly #options: AuditProjectionOptions
  readonly #instruments: Instruments
  #position = 0
  #storedPosition = 0
  /** The current batch: its records, its number of entries and its start. */
  #due: PendingRecord[] = []
  #read = 0
  #batchStartMs = 0
  #write: Promise<void> = Promise.resolve()
  #waiters: { seq: number; resolve: () => void }[] = []
  #isClosing = false
  /** Ends the pause that is under way. */
  #pauseEnd = new AbortController()
  #reportedFault: string | undefined
  #stopping = new AbortController()

  constructor(options: AuditProjectionOptions) {
    this.#options = options
    this.#instruments = options.instruments ?? standardInstruments()
  }

  /** After a failure it continues from the position, which is stored in the same transaction as the records. */
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

  waitUntilCurrent(): Promise<boolean> {
    return this.#waitUntil(this.#options.desk.views.revision, WAIT_TIMEOUT_MS)
  }

  async close(graceMs: number): Promise<void> {
    this.#isClosing = true
    await this.#waitUntil(this.#options.desk.views.revision, Math.min(graceMs, CLOSE_TIMEOUT_MS))
    this.#stopping.abort()
    this.#pauseEnd.abort()
    await this.#write.catch(() => {})
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted
  }

  async #follow(): Promise<void> {
    const { desk } = this.#options
    const { seq: from } = await this.#startPosition()
    this.#due = []
    this.#read = 0
    this.#storedPosition = from
    this.#advanceTo(from)
    for await (const entry of desk.entriesAfter(seqFrom(from))) {
      if (this.#isStopped) return
      this.#addEntry(entry)
      if (!this.#isFull && entry.seq < desk.views.revision) continue
      await this.#flush(entry)
      await this.#throttle(performance.now() - this.#batchStartMs)
    }
  }

  #addEntry(entry: JournalEntry): void {
    if (this.#read === 0) this.#batchStartMs = performance.now()
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
    if (this.#due.length > 0 || last.seq - this.#storedPosition >= STORE_POSITION_EVERY_ENTRIES) {
      this.#write = this.#options.audit.appendFromJournal(this.#due, {
        seq: last.seq,
        fingerprint: fingerprintOf(last),
      })
      await this.#write
      this.#due = []
      this.#storedPosition = last.seq
      this.#reportedFault = undefined
    }
    this.#read = 0
    this.#advanceTo(last.seq)
  }

  /** The entry to continue from. If the stored entry differs, the journal was replaced by another one. */
  async #startPosition(): Promise<JournalPosition> {
    const { audit } = this.#options
    const stored = await audit.journalPosition()
    if (stored.seq === 0 || (await this.#isSameJournal(stored))) return stored
    await audit.appendFromJournal([replacedAfter(stored)], NOTHING_READ)
    return NOTHING_READ
  }

  async #isSameJournal({ seq: stored, fingerprint }: JournalPosition): Promise<boolean> {
    const { desk } = this.#options
    if (desk.views.revision < stored) return false
    for await (const entry of desk.entriesAfter(seqFrom(stored - 1)))
      return fingerprintOf(entry) === fingerprint
    return false
  }

  #advanceTo(position: number): void {
    this.#position = position
    const ready = this.#waiters.filter((waiter) => waiter.seq <= position)
    this.#waiters = this.#waiters.filter((waiter) => waiter.seq > position)
    for (const { resolve } of ready) resolve()
  }

  async #waitUntil(seq: number, timeoutMs: number): Promise<boolean> {
    if (this.#position < seq && !this.#isStopped) {
      const timer = new AbortController()
      const timeout = wait(timeoutMs, undefined, { signal: timer.signal }).catch(() => {})
      const { promise: ready, resolve } = Promise.withResolvers<void>()
      const waiter = { seq, resolve }
      this.#waiters.push(waiter)
      this.#pauseEnd.abort()
      await Promise.race([ready, timeout])
      timer.abort()
      this.#waiters = this.#waiters.filter((each) => each !== waiter)
    }
    return this.#position >= seq
  }

  async #throttle(tookMs: number): Promise<void> {
    const { desk } = this.#options
    const [seqBefore, before] = [desk.views.revision, performance.eventLoopUtilization()]
    const pauseMs = Math.max(this.#options.minPauseMs ?? 0, Math.min(PAUSE_FACTOR * tookMs, MAX_PAUSE_MS))
    await this.#pause(pauseMs)
    const isThreadBusy = performance.eventLoopUtilization(before).utilization > BUSY_THREAD_SHARE
    const isDeskBusy = desk.views.revision - seqBefore > BUSY_DESK_ENTRIES_PER_MS * pauseMs
    if (isThreadBusy) await this.#pause(BUSY_THREAD_PAUSE_MS)
    else if (isDeskBusy) await this.#pause(BUSY_DESK_PAUSE_MS)
  }

  /** A reader does not wait for pauses: it ends the one under way, and is served without further ones. */
  async #pause(ms: number): Promise<void> {
    if (this.#isClosing || this.#waiters.length > 0) return setImmediate()
    this.#pauseEnd = new AbortController()
    await sleep(ms, this.#pauseEnd.signal)
  }
}

/** Ends early on the signal. */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal, ref: false }).catch(() => {})
}

const NOTHING_READ: JournalPosition = { seq: 0, fingerprint: '' }

function fingerprintOf(entry: JournalEntry): string {
  return hash('sha256', encodeEntry(entry))
}

function replacedAfter({ seq: stored }: JournalPosition): PendingRecord {
  return {
    audit: serverAuditContext('audit.follow'),
    change: {
      entity: 'trading-journal',
      target: 'journal',
      before: { journal_entry: stored },
      after: {
        journal_entry: 0,
        note: 'The trading journal was replaced by another one, which is recorded from its beginning.',
      },
    },
    at: new Date(),
  }
}
