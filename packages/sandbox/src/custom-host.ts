import {
  type Command,
  type InstrumentId,
  idFrom,
  type JournalEntry,
  type Outcome,
  type StrategyId,
} from '@binnacle/engine'
import { type ChildLimits, startCustomChild } from './custom-child.ts'
import { CustomRun } from './custom-run.ts'
import type { CustomStrategyUpdates } from './custom-update-queue.ts'
import { toIntent } from './intent.ts'
import { RateLimit } from './rate-limit.ts'
import { ModuleFailure } from './sealed-process.ts'

export interface CustomHostOptions {
  /** The folder of the modules. */
  folder: string
  logger: { info(line: object): void }
  submit(command: Command): Promise<Outcome>
  limits?: Partial<ChildLimits>
  maxRuns?: number
}

/** Prevents a module that prints on every quote from filling the disk. */
const PRINTED_LINE_RATE = { burst: 50, perSecond: 1 }
/** Each process takes about 80 MB before it does anything. */
const MAX_RUNS = 16

/** Runs the modules of custom strategies in separate processes and submits their intents to the desk. */
export class CustomHost {
  readonly #options: CustomHostOptions
  readonly #runs = new Map<StrategyId, CustomRun>()
  /** The last ended run of each strategy; its late updates are dropped. */
  readonly #endedRuns = new Map<StrategyId, number>()
  #isClosed = false

  constructor(options: CustomHostOptions) {
    this.#options = options
  }

  /** Delivers updates. The first update of a new run starts its process and ends that of the previous run. */
  deliver(all: readonly CustomStrategyUpdates[]): void {
    if (this.#isClosed) return
    for (const update of all) {
      if (update.run <= (this.#endedRuns.get(update.strategy) ?? 0)) continue
      const known = this.#runs.get(update.strategy)
      const run = known?.number === update.run ? known : this.#begin(update)
      run.deliver(update.updates)
    }
  }

  /** Ends the processes of strategies that were stopped or failed. */
  follow(entries: readonly JournalEntry[]): void {
    if (this.#runs.size === 0) return
    for (const event of entries.flatMap(({ events }) => events)) {
      if (event.type === 'StrategyStopped' || event.type === 'StrategyFailed') this.#end(event.strategy)
    }
  }

  /** Called when the engine thread has exited: run numbers start again with the next one. */
  endAll(): void {
    for (const strategy of [...this.#runs.keys()]) this.#end(strategy)
    this.#endedRuns.clear()
  }

  close(): void {
    this.#isClosed = true
    this.endAll()
  }

  #begin(update: CustomStrategyUpdates): CustomRun {
    this.#end(update.strategy)
    const { strategy, run: number, terms } = update
    const { folder, logger, limits = {} } = this.#options
    const { module, ...rest } = terms
    const instruments = terms.instruments.map(({ id }) => idFrom<InstrumentId>(id))
    const lines = new RateLimit(PRINTED_LINE_RATE)
    const run = new CustomRun({
      number,
      start: async () => {
        this.#checkRunCount()
        return startCustomChild({
          folder,
          module,
          limits,
          terms: { ...rest, strategy, seed: seedOf(strategy) },
          onPrinted: (line) => {
            if (lines.take(performance.now(), 1)) logger.info({ event: 'strategy.said', strategy, line })
          },
        })
      },
      submit: (intents) =>
        this.#submit({ type: 'SubmitIntents', strategy, intents: intents.map(toIntent), instruments }),
      // The resulting journal entry is logged by the desk client.
      fail: (reason) => void this.#submit({ type: 'FailStrategy', strategy, reason }),
    })
    this.#runs.set(strategy, run)
    return run
  }

  #checkRunCount(): void {
    const { maxRuns = MAX_RUNS } = this.#options
    if (this.#runs.size <= maxRuns) return
    throw new ModuleFailure(`was not started: at most ${maxRuns} custom strategies run at once`)
  }

  #end(strategy: StrategyId): void {
    const run = this.#runs.get(strategy)
    if (run === undefined) return
    run.end()
    this.#runs.delete(strategy)
    this.#endedRuns.set(strategy, run.number)
  }

  /** A halted desk refuses commands; after its recovery every strategy starts a new run. */
  async #submit(command: Command): Promise<void> {
    await this.#options.submit(command).catch(() => {})
  }
}

/** The same random sequence for a strategy after every start. */
function seedOf(strategy: string): number {
  return Number(/\d+$/.exec(strategy)?.[0] ?? 0)
}
