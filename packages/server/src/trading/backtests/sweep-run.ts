import type { NewSweep } from '@binnacle/contract'
import { INTERRUPTED, type SweepEnding, type SweepsStore } from '#storage/admin/sweeps-store.ts'
import { RUN_FAULT, type StopReason } from './live-backtest.ts'
import type { BacktestPlan } from './plan.ts'
import type { BacktestRunner, PlanEnding, PlanRun } from './plan-run.ts'
import { bestOf, isBetter, type SetFigures } from './sweep-report.ts'

/** A sweep that is queued or under way. */
export interface SweepRun {
  /** Resolves when the outcome is stored. Never rejects. */
  readonly ended: Promise<void>
  stop(why: StopReason): void
}

export interface SweepRunOptions {
  store: Pick<SweepsStore, 'begin' | 'addResult' | 'end'>
  runner: Pick<BacktestRunner, 'threads' | 'run' | 'keepBars'>
  onFault: (fault: unknown) => void
  /** The sweep before this one. */
  after: Promise<void>
}

/** A set over a segment. */
export interface SetRun {
  set: number
  segment: number
  plan: BacktestPlan
}

interface SweepTask {
  id: number
  request: NewSweep
  runs: readonly SetRun[]
}

/** Keeps as many runs in the pool as it has threads, and stores each result. */
export function createSweepRun({ id, request, runs }: SweepTask, options: SweepRunOptions): SweepRun {
  const { store, runner, onFault } = options
  const underWay = new Set<PlanRun>()
  const figures: SetFigures[] = []
  const patience = new Patience(request)
  const { promise: stopped, resolve: wake } = Promise.withResolvers<void>()
  let why: StopReason | undefined
  let fault = false
  let next = 0

  /** Runs one set after the other until none is left. Each result is stored while the next set runs. */
  async function work(): Promise<void> {
    let stored = Promise.resolve()
    for (;;) {
      const index = next
      const run = runs[index]
      if (run === undefined || why !== undefined || fault || patience.isUsedUp) return stored
      next += 1
      const started = runner.run(run.plan)
      underWay.add(started)
      const [ending] = await Promise.all([started.ended, stored])
      underWay.delete(started)
      stored = keep(index, run, ending)
    }
  }

  async function keep(index: number, { set, segment }: SetRun, ending: PlanEnding): Promise<void> {
    const row = { sweep_id: id, segment, set_number: set, hash: null, figures: null, error: null }
    if (ending.kind === 'figures') {
      const { hash, ...rest } = ending.figures
      figures.push({ set, segment, ...rest })
      patience.add(index, ending.figures.statistics[request.measure])
      await store.addResult({ ...row, hash, figures: JSON.stringify(rest) })
    } else if (ending.kind === 'refused') {
      patience.add(index, null)
      await store.addResult({ ...row, error: ending.sentence })
    } else if (why === undefined) {
      fault = true
      onFault('fault' in ending ? ending.fault : ending)
    }
  }

  function ending(): SweepEnding {
    const isWhole = request.windows === undefined
    const best = isWhole ? JSON.stringify(bestOf(inOrder(figures), request.measure)) : null
    const stopped_early = patience.isUsedUp && next < runs.length ? 1 : 0
    if (why !== undefined)
      return { status: why, best, stopped_early: 0, error: why === 'interrupted' ? INTERRUPTED : null }
    if (fault) return { status: 'failed', best, stopped_early: 0, error: RUN_FAULT }
    return { status: 'completed', best, stopped_early, error: null }
  }

  async function runAll(): Promise<void> {
    await Promise.race([options.after, stopped])
    if (why === undefined) {
      await store.begin(id)
      const leave = runs.map(({ plan }) => runner.keepBars(plan))
      await Promise.all(Array.from({ length: runner.threads }, work))
      for (const each of leave) each()
    }
    await store.end(id, ending())
  }

  return {
    ended: runAll().catch(onFault),
    stop(reason) {
      why ??= reason
      wake()
      for (const run of underWay) run.stop()
    },
  }
}

function inOrder(figures: readonly SetFigures[]): SetFigures[] {
  return figures.toSorted((a, b) => a.set - b.set)
}

/** BT-39: counts sets in their order, so that it does not matter which thread was faster. */
class Patience {
  readonly #request: NewSweep
  readonly #waiting = new Map<number, number | null>()
  #counted = 0
  #best: number | null = null
  #sinceBest = 0

  constructor(request: NewSweep) {
    this.#request = request
  }

  get isUsedUp(): boolean {
    const { patience, windows } = this.#request
    return patience !== undefined && windows === undefined && this.#sinceBest >= patience
  }

  add(index: number, value: number | null): void {
    this.#waiting.set(index, value)
    for (
      let due = this.#waiting.get(this.#counted);
      due !== undefined;
      due = this.#waiting.get(this.#counted)
    ) {
      this.#waiting.delete(this.#counted)
      this.#counted += 1
      if (this.isUsedUp) return
      const isBest = due !== null && (this.#best === null || isBetter(due, this.#best, this.#request.measure))
      if (isBest) this.#best = due
      this.#sinceBest = isBest ? 0 : this.#sinceBest + 1
    }
  }
}
