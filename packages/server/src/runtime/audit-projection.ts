import { hash } from 'node:crypto'
import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import {
  type Desk,
  encodeEntry,
  type Instruments,
  type JournalEntry,
  seq,
  standardInstruments,
} from '@binnacle/engine'
import { actOfServer, type DueLine } from '#audit/act.ts'
import { lineOfEntry } from '#audit/trading-line.ts'
import type { AuditStore, JournalMark } from '#storage/admin/audit-store.ts'

/** Turns what people ask of the desk into lines of the audit log, behind the desk's back. */
export interface AuditProjection {
  /** True when what has happened by now is in the log; false after a second, when there is too much of it. */
  settled(): Promise<boolean>
  /** Writes what is left if the time is enough for it, and stops; before desk and store are closed. */
  close(graceMs: number): Promise<void>
}

export interface AuditProjectionNeeds {
  desk: Pick<Desk, 'entriesAfter' | 'views'>
  audit: Pick<AuditStore, 'journalMark' | 'follow'>
  /** Hears why it had to begin again. */
  onFault?: (fault: unknown) => void
  instruments?: Instruments
  /** How long what failed is left alone. */
  retryMs?: number
}

/** A batch holds the thread that answers requests, so it is small, ... */
const LINES_AT_ONCE = 50
const ENTRIES_AT_ONCE = 500
/** ... and is followed by a pause so many times as long as it took, ... */
const PAUSE_TIMES = 20
/** ... and by one more while the desk is busy or even the thread: orders have the rest. */
const LONGEST_PAUSE_MS = 500
const BUSY_DESK_PAUSE_MS = 500
const BUSY_DESK_ENTRIES_PER_MS = 0.1
const BUSY_THREAD_PAUSE_MS = 2000
const BUSY_THREAD_SHARE = 0.5
/** Entries without a line are only noted now and then; after a crash they are looked at again. */
const MARK_EVERY_ENTRIES = 5000
const RETRY_MS = 5000
const SETTLED_WITHIN_MS = 1000
/** What is left is told after the next start. */
const CLOSED_WITHIN_MS = 2000

export function startAuditProjection(needs: AuditProjectionNeeds): AuditProjection {
  const projection = new JournalFollower(needs)
  void projection.run()
  return projection
}

class JournalFollower implements AuditProjection {
  readonly #needs: AuditProjectionNeeds
  readonly #instruments: Instruments
  #reached = 0
  #marked = 0
  /** The batch under way: its lines, how many entries it has seen, and since when. */
  #due: DueLine[] = []
  #read = 0
  #begun = 0
  #write: Promise<void> = Promise.resolve()
  #waiters: { seq: number; resolve: () => void }[] = []
  #isHurried = false
  #toldFault: string | undefined
  #stopping = new AbortController()

  constructor(needs: AuditProjectionNeeds) {
    this.#needs = needs
    this.#instruments = needs.instruments ?? standardInstruments()
  }

  /** What fails is begun again from the mark: the journal has it all, and the mark is moved with the lines. */
  async run(): Promise<void> {
    while (!this.#isStopped) {
      try {
        await this.#follow()
        return
      } catch (fault) {
        if (this.#isStopped) return
        this.#tell(fault)
        await this.#sleep(this.#needs.retryMs ?? RETRY_MS)
      }
    }
  }

  settled(): Promise<boolean> {
    return this.#reaching(this.#needs.desk.views.seq, SETTLED_WITHIN_MS)
  }

  async close(graceMs: number): Promise<void> {
    this.#isHurried = true
    await this.#reaching(this.#needs.desk.views.seq, Math.min(graceMs, CLOSED_WITHIN_MS))
    this.#stopping.abort()
    await this.#write.catch(() => {})
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted
  }

  async #follow(): Promise<void> {
    const { desk } = this.#needs
    const { seq: from } = await this.#beginning()
    this.#due = []
    this.#read = 0
    this.#marked = from
    this.#reach(from)
    for await (const entry of desk.entriesAfter(seq(from))) {
      if (this.#isStopped) return
      this.#take(entry)
      if (!this.#isFull && entry.seq < desk.views.seq) continue
      await this.#flush(entry)
      await this.#giveWay(performance.now() - this.#begun)
    }
  }

  #take(entry: JournalEntry): void {
    if (this.#read === 0) this.#begun = performance.now()
    this.#read += 1
    const line = lineOfEntry(entry, this.#instruments)
    if (line !== undefined) this.#due.push(line)
  }

  get #isFull(): boolean {
    return this.#due.length >= LINES_AT_ONCE || this.#read >= ENTRIES_AT_ONCE
  }

  /** Once, however often it is tried again. */
  #tell(fault: unknown): void {
    const text = String(fault)
    if (text !== this.#toldFault) this.#needs.onFault?.(fault)
    this.#toldFault = text
  }

  async #flush(last: JournalEntry): Promise<void> {
    if (this.#due.length > 0 || last.seq - this.#marked >= MARK_EVERY_ENTRIES) {
      this.#write = this.#needs.audit.follow(this.#due, { seq: last.seq, print: printOf(last) })
      await this.#write
      this.#due = []
      this.#marked = last.seq
      this.#toldFault = undefined
    }
    this.#read = 0
    this.#reach(last.seq)
  }

  /** Where to go on. A journal in which the marked entry is another one was put in the place of ours. */
  async #beginning(): Promise<JournalMark> {
    const { audit } = this.#needs
    const mark = await audit.journalMark()
    if (mark.seq === 0 || (await this.#isOurs(mark))) return mark
    await audit.follow([replacedAfter(mark)], NOTHING_READ)
    return NOTHING_READ
  }

  async #isOurs({ seq: marked, print }: JournalMark): Promise<boolean> {
    const { desk } = this.#needs
    if (desk.views.seq < marked) return false
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
      await Promise.race([new Promise<void>((resolve) => this.#waiters.push({ seq: target, resolve })), late])
      over.abort()
    }
    return this.#reached >= target
  }

  async #giveWay(tookMs: number): Promise<void> {
    const { desk } = this.#needs
    const [seqBefore, before] = [desk.views.seq, performance.eventLoopUtilization()]
    const pauseMs = Math.min(PAUSE_TIMES * tookMs, LONGEST_PAUSE_MS)
    await this.#pause(pauseMs)
    const isThreadBusy = performance.eventLoopUtilization(before).utilization > BUSY_THREAD_SHARE
    const isDeskBusy = desk.views.seq - seqBefore > BUSY_DESK_ENTRIES_PER_MS * pauseMs
    if (isThreadBusy) await this.#pause(BUSY_THREAD_PAUSE_MS)
    else if (isDeskBusy) await this.#pause(BUSY_DESK_PAUSE_MS)
  }

  async #pause(ms: number): Promise<void> {
    if (this.#isHurried) await setImmediate()
    else await this.#sleep(ms)
  }

  /** Cut short by the stop. */
  async #sleep(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => {})
  }
}

const NOTHING_READ: JournalMark = { seq: 0, print: '' }

function printOf(entry: JournalEntry): string {
  return hash('sha256', encodeEntry(entry))
}

function replacedAfter({ seq: marked }: JournalMark): DueLine {
  return {
    act: actOfServer('audit.follow'),
    deed: {
      entity: 'trading-journal',
      target: 'journal',
      before: { journal_entry: marked },
      after: {
        journal_entry: 0,
        note: 'Another trading journal is in its place and is told from its beginning.',
      },
    },
    at: new Date(),
  }
}
