import type { StrategyId } from '@binnacle/engine'
import type { Heard } from './child/protocol.ts'
import type { CustomTerms, Hearing } from './hearing.ts'

/** What one custom strategy heard in a turn of the engine's thread. */
export interface CustomTold {
  readonly strategy: StrategyId
  /** Grows with every start and every change of settings. */
  readonly run: number
  readonly terms: CustomTerms
  readonly heard: readonly Heard[]
}

/** Carries what custom strategies heard off the engine's thread, once a turn: quotes of one turn count as one. */
export class CustomOutlet {
  readonly #post: (told: readonly CustomTold[]) => void
  readonly #runs = new WeakMap<Hearing, number>()
  readonly #due = new Set<Hearing>()
  #lastRun = 0

  constructor(post: (told: readonly CustomTold[]) => void) {
    this.#post = post
  }

  note(hearing: Hearing): void {
    if (this.#due.size === 0) setImmediate(() => this.#send())
    this.#due.add(hearing)
  }

  #send(): void {
    const hearings = [...this.#due]
    this.#due.clear()
    const told = hearings.flatMap((hearing) => this.#toldBy(hearing))
    if (told.length > 0) this.#post(told)
  }

  #toldBy(hearing: Hearing): CustomTold[] {
    const { strategy, terms } = hearing
    if (strategy === null) return []
    const run = this.#runs.get(hearing) ?? ++this.#lastRun
    this.#runs.set(hearing, run)
    return [{ strategy, run, terms, heard: hearing.take() }]
  }
}
