import type { IntentMessage, StrategyUpdate } from '#child/protocol.ts'
import type { CustomChild } from './custom-child.ts'
import { ModuleFailure } from './sealed-process.ts'

/** A module this far behind will not catch up. */
const MAX_BARS_BEHIND = 10_000

export interface CustomRunOptions {
  number: number
  start(): Promise<CustomChild>
  /** Resolves when the desk has carried the intents out or refused them. */
  submit(intents: readonly IntentMessage[]): Promise<void>
  fail(reason: string): void
}

/** One run of a custom strategy: its process and the queue of updates, delivered one at a time. */
export class CustomRun {
  readonly number: number
  readonly #options: CustomRunOptions
  /** At most one warm-up and one live update: later ones are merged into those that wait. */
  #waiting: StrategyUpdate[] = []
  #child: CustomChild | null = null
  #isDelivering = false
  #isFinished = false
  /** True after intents were submitted: the next update must show a desk that includes them. */
  #isDeskOld = false

  constructor(options: CustomRunOptions) {
    this.#options = options
    this.number = options.number
  }

  deliver(updates: readonly StrategyUpdate[]): void {
    if (this.#isFinished) return
    for (const each of updates) this.#waiting = mergeUpdate(this.#waiting, each)
    if (updates.some(({ isLive }) => isLive)) this.#isDeskOld = false
    if (!this.#isDelivering) void this.#deliverAll()
  }

  end(): void {
    this.#isFinished = true
    this.#waiting = []
    this.#child?.end()
  }

  async #deliverAll(): Promise<void> {
    this.#isDelivering = true
    try {
      this.#child ??= await this.#options.start()
      // The run may have ended while the process started.
      if (this.#isFinished) this.#child.end()
      for (let update = this.#next(); update !== undefined; update = this.#next()) await this.#deliver(update)
    } catch (fault) {
      this.#fail(fault)
    }
    this.#isDelivering = false
  }

  #next(): StrategyUpdate | undefined {
    return this.#isFinished || this.#isDeskOld ? undefined : this.#waiting.shift()
  }

  async #deliver(update: StrategyUpdate): Promise<void> {
    if (update.bars.length > MAX_BARS_BEHIND)
      throw new ModuleFailure(`fell ${update.bars.length} bars behind`)
    if (this.#child === null || (update.bars.length === 0 && !this.#child.wantsQuotes)) return
    const intents = await this.#child.deliver(update)
    if (intents.length === 0 || this.#isFinished) return
    await this.#options.submit(intents)
    this.#isDeskOld = true
  }

  #fail(fault: unknown): void {
    if (this.#isFinished) return
    this.end()
    this.#options.fail(fault instanceof ModuleFailure ? fault.message : `failed: ${String(fault)}`)
  }
}

/** Keeps all bars, but only the latest quotes and desk. */
function mergeUpdate(waiting: readonly StrategyUpdate[], update: StrategyUpdate): StrategyUpdate[] {
  const last = waiting.at(-1)
  if (last === undefined || last.isLive !== update.isLive) return [...waiting, update]
  const quotedSlots = [...new Set([...last.quotedSlots, ...update.quotedSlots])]
  return [...waiting.slice(0, -1), { ...update, bars: [...last.bars, ...update.bars], quotedSlots }]
}
