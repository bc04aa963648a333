import type { Command, Intent, JournalEntry, Outcome, StrategyId } from '@binnacle/engine'
import { idFrom } from '@binnacle/engine'
import type { FastifyBaseLogger } from 'fastify'
import { Allowance } from './allowance.ts'
import type { IntentTold } from './child/protocol.ts'
import { type ChildLimits, startCustomChild } from './custom-child.ts'
import type { CustomTold } from './custom-outlet.ts'
import { CustomRun } from './custom-run.ts'
import { ModuleFailure } from './module-failure.ts'

export interface CustomHostOptions {
  /** Where the modules are. */
  folder: string
  logger: FastifyBaseLogger
  submit(command: Command): Promise<Outcome>
  limits?: Partial<ChildLimits>
  mostRuns?: number
}

/** A module that prints at every quote must not fill the disk. */
const LINES = { atOnce: 50, perSecond: 1 }
/** Each takes some 80 MB before it has done anything. */
const MOST_RUNS = 16

/** Runs the modules of custom strategies in processes of their own, and brings what they want to the desk. */
export class CustomHost {
  readonly #options: CustomHostOptions
  readonly #runs = new Map<StrategyId, CustomRun>()
  /** The last run of each strategy that ended: what still comes of it is late. */
  readonly #over = new Map<StrategyId, number>()
  #isClosed = false

  constructor(options: CustomHostOptions) {
    this.#options = options
  }

  /** Takes in what strategies heard; a run that is new starts its process and ends that of the run before. */
  hear(all: readonly CustomTold[]): void {
    if (this.#isClosed) return
    for (const told of all) {
      if (told.run <= (this.#over.get(told.strategy) ?? 0)) continue
      const known = this.#runs.get(told.strategy)
      const run = known?.number === told.run ? known : this.#begin(told)
      run.hear(told.heard)
    }
  }

  /** Ends the processes of strategies that no longer run. */
  follow(entries: readonly JournalEntry[]): void {
    if (this.#runs.size === 0) return
    for (const event of entries.flatMap(({ events }) => events)) {
      if (event.type === 'StrategyStopped' || event.type === 'StrategyFailed') this.#end(event.strategy)
    }
  }

  /** The engine's thread is gone, and with it everything that it had told. */
  endAll(): void {
    for (const strategy of [...this.#runs.keys()]) this.#end(strategy)
    this.#over.clear()
  }

  close(): void {
    this.#isClosed = true
    this.endAll()
  }

  #begin(told: CustomTold): CustomRun {
    this.#end(told.strategy)
    const { strategy, run: number, terms } = told
    const { folder, logger, limits = {} } = this.#options
    const { module, ...rest } = terms
    const lines = new Allowance(LINES)
    const run = new CustomRun({
      number,
      start: async () => {
        this.#refuseTooMany()
        return startCustomChild({
          folder,
          module,
          limits,
          terms: { ...rest, strategy, seed: seedOf(strategy) },
          onSaid: (line) => {
            if (lines.take(performance.now(), 1)) logger.info({ event: 'strategy.said', strategy, line })
          },
        })
      },
      give: (intents) => this.#submit({ type: 'GiveIntents', strategy, intents: intents.map(intentOf) }),
      // The log is told with the entry that this leads to.
      fail: (reason) => void this.#submit({ type: 'FailStrategy', strategy, reason }),
    })
    this.#runs.set(strategy, run)
    return run
  }

  #refuseTooMany(): void {
    const { mostRuns = MOST_RUNS } = this.#options
    if (this.#runs.size <= mostRuns) return
    throw new ModuleFailure(`was not started: at most ${mostRuns} custom strategies run at once`)
  }

  #end(strategy: StrategyId): void {
    const run = this.#runs.get(strategy)
    if (run === undefined) return
    run.end()
    this.#runs.delete(strategy)
    this.#over.set(strategy, run.number)
  }

  /** A desk that halts takes nothing; when it starts again every strategy does. */
  async #submit(command: Command): Promise<void> {
    await this.#options.submit(command).catch(() => {})
  }
}

export function intentOf(told: IntentTold): Intent {
  return told.type === 'cancel' ? { type: 'cancel', orderId: idFrom(told.orderId) } : told
}

/** The same strategy draws the same chances after every start. */
function seedOf(strategy: string): number {
  return Number(/\d+$/.exec(strategy)?.[0] ?? 0)
}
