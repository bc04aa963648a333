import type { AuditStore } from '#storage/admin/audit-store.ts'
import type { PendingRecord } from '#storage/audit/audit-context.ts'

export interface CommandAuditOptions {
  audit: Pick<AuditStore, 'append'>
  onFault: (fault: unknown) => void
  retryMs?: number
  maxWaiting?: number
}

const RETRY_MS = 5_000
const MAX_WAITING = 10_000
const MAX_BATCH = 100

/** Appends records in their order. A failed append is reported once and repeated until it succeeds. */
export class CommandAudit {
  readonly #options: CommandAuditOptions
  #waiting: PendingRecord[] = []
  #writing: Promise<void> | undefined
  #retry: NodeJS.Timeout | undefined
  #hasFailed = false

  constructor(options: CommandAuditOptions) {
    this.#options = options
  }

  /** Whether too many records wait to be stored: they would be lost with the process. */
  get isFull(): boolean {
    return this.#waiting.length >= (this.#options.maxWaiting ?? MAX_WAITING)
  }

  /** Resolves when the record is stored, or after its first attempt has failed. */
  add(record: PendingRecord): Promise<void> {
    this.#waiting.push(record)
    return this.settled()
  }

  /** Resolves when every record is stored or an attempt has failed. */
  settled(): Promise<void> {
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
    return this.#writing
  }

  /** Tries once more what waits. */
  async close(): Promise<void> {
    await this.settled()
    clearTimeout(this.#retry)
  }

  async #write(): Promise<void> {
    clearTimeout(this.#retry)
    try {
      while (this.#waiting.length > 0) {
        const batch = this.#waiting.slice(0, MAX_BATCH)
        await this.#options.audit.append(batch)
        this.#waiting = this.#waiting.slice(batch.length)
      }
      this.#hasFailed = false
    } catch (fault) {
      if (!this.#hasFailed) this.#options.onFault(fault)
      this.#hasFailed = true
      const retry = () => void this.settled()
      this.#retry = setTimeout(retry, this.#options.retryMs ?? RETRY_MS).unref()
    }
  }
}
