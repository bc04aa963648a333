import type { Heard, IntentTold } from './child/protocol.ts'
import type { CustomChild } from './custom-child.ts'
import { ModuleFailure } from './module-failure.ts'

/** A module that is this many bars behind will not catch up. */
const MOST_WAITING = 10_000

export interface CustomRunOptions {
  number: number
  start(): Promise<CustomChild>
  /** Resolves when the desk has done what was wanted, or refused to. */
  give(intents: readonly IntentTold[]): Promise<void>
  fail(reason: string): void
}

/** One run of a custom strategy: the process, what waits to be heard, and one question at a time. */
export class CustomRun {
  readonly number: number
  readonly #options: CustomRunOptions
  /** At most the past and the present: what comes later joins what waits. */
  #waiting: Heard[] = []
  #child: CustomChild | null = null
  #isAsking = false
  #isOver = false
  /** After its wishes are carried out the module is only asked again about a desk that shows them. */
  #isDeskOld = false

  constructor(options: CustomRunOptions) {
    this.#options = options
    this.number = options.number
  }

  hear(heard: readonly Heard[]): void {
    if (this.#isOver) return
    for (const each of heard) this.#waiting = joined(this.#waiting, each)
    if (heard.some(({ isLive }) => isLive)) this.#isDeskOld = false
    if (!this.#isAsking) void this.#askAll()
  }

  end(): void {
    this.#isOver = true
    this.#waiting = []
    this.#child?.end()
  }

  async #askAll(): Promise<void> {
    this.#isAsking = true
    try {
      this.#child ??= await this.#options.start()
      // It may have been ended while it started.
      if (this.#isOver) this.#child.end()
      for (let heard = this.#next(); heard !== undefined; heard = this.#next()) await this.#ask(heard)
    } catch (fault) {
      this.#fail(fault)
    }
    this.#isAsking = false
  }

  #next(): Heard | undefined {
    return this.#isOver || this.#isDeskOld ? undefined : this.#waiting.shift()
  }

  async #ask(heard: Heard): Promise<void> {
    if (heard.bars.length > MOST_WAITING) throw new ModuleFailure(`fell ${heard.bars.length} bars behind`)
    if (this.#child === null || (heard.bars.length === 0 && !this.#child.hearsQuotes)) return
    const intents = await this.#child.ask(heard)
    if (intents.length === 0 || this.#isOver) return
    await this.#options.give(intents)
    this.#isDeskOld = true
  }

  #fail(fault: unknown): void {
    if (this.#isOver) return
    this.end()
    this.#options.fail(fault instanceof ModuleFailure ? fault.message : `failed: ${String(fault)}`)
  }
}

/** Bars wait one behind the other; of quotes and the desk only the latest counts. */
function joined(waiting: readonly Heard[], heard: Heard): Heard[] {
  const last = waiting.at(-1)
  if (last === undefined || last.isLive !== heard.isLive) return [...waiting, heard]
  const quoted = [...new Set([...last.quoted, ...heard.quoted])]
  return [...waiting.slice(0, -1), { ...heard, bars: [...last.bars, ...heard.bars], quoted }]
}
