import type { NewSweep, SweepSegment } from '@binnacle/contract'
import { notFound, Refused } from '#http/problems.ts'
import type { SweepResultRow } from '#storage/admin/admin-tables.ts'
import type { NewSweepResult, SweepListRow, SweepsStore } from '#storage/admin/sweeps-store.ts'
import type { AuditContext } from '#storage/audit/audit-context.ts'
import { requestOfSet, segmentsOf, setsOf } from './parameter-sets.ts'
import type { BacktestRunner } from './plan-run.ts'
import type { QueueLimit } from './queue-limit.ts'
import { createSweepRun, type SetRun, type SweepRun } from './sweep-run.ts'

export interface Sweeps {
  start(audit: AuditContext, request: NewSweep): Promise<SweepListRow | Refused>
  cancel(audit: AuditContext, id: number): Promise<SweepListRow | Refused>
  list(): Promise<SweepListRow[]>
  find(id: number): Promise<{ row: SweepListRow; results: SweepResultRow[] } | undefined>
  /** Resolves when it is over, at once when it is already. */
  ended(id: number): Promise<void>
  /** Interrupts what is queued and running. */
  close(): Promise<void>
}

export interface SweepsOptions {
  store: SweepsStore
  runner: BacktestRunner
  limit: QueueLimit
  onFault: (fault: unknown) => void
}

const LISTED = 100
const MAX_RUNS = 20_000

/** Sweeps are run one after the other, each on as many threads of low priority as there are processors. */
export function createSweeps({ store, runner, limit, onFault }: SweepsOptions): Sweeps {
  const live = new Map<number, SweepRun>()

  /** The last queued one, after which the next begins. */
  let last: Promise<void> = Promise.resolve()

  async function start(audit: AuditContext, request: NewSweep): Promise<SweepListRow | Refused> {
    const plans = await planAll(request, runner)
    if (plans instanceof Refused) return plans
    const leave = limit.takeSweep()
    if (leave instanceof Refused) return leave
    const { names, sets, segments, refused } = plans
    const texts = {
      request: JSON.stringify(request),
      names: JSON.stringify(names),
      sets: JSON.stringify(sets),
      segments: JSON.stringify(segments),
    }
    const stored = store.add(audit, texts, refused)
    stored.catch(leave)
    const row = await stored
    const run = createSweepRun(
      { id: row.id, request, runs: plans.runs },
      { store, runner, onFault, after: last },
    )
    live.set(row.id, run)
    last = run.ended
    void run.ended.then(() => {
      live.delete(row.id)
      leave()
    })
    return row
  }

  return {
    start,
    async cancel(audit, id) {
      const outcome = await store.recordCancel(audit, id)
      if (!outcome.ok) return outcome.reason === 'unknown' ? unknownSweep(id) : sweepEnded(id)
      const run = live.get(id)
      run?.stop('cancelled')
      await run?.ended
      return (await store.find(id)) ?? unknownSweep(id)
    },
    list: () => store.list(LISTED),
    async find(id) {
      const row = await store.find(id)
      return row && { row, results: await store.resultsOf(id) }
    },
    ended: async (id) => live.get(id)?.ended,
    async close() {
      const left = [...live.values()]
      for (const run of left) run.stop('interrupted')
      await Promise.all(left.map((run) => run.ended))
    },
  }
}

interface PlannedSweep {
  names: string[]
  sets: number[][]
  segments: SweepSegment[]
  runs: SetRun[]
  refused: NewSweepResult[]
}

async function planAll(request: NewSweep, runner: BacktestRunner): Promise<PlannedSweep | Refused> {
  const { type } = request.base.strategy
  const found = setsOf(request, (name) => runner.labelOf(type, name))
  if (found instanceof Refused) return found
  const { names, sets } = found
  const segments = segmentsOf(request)
  if (sets.length * segments.length > MAX_RUNS)
    return invalid(
      'parameters',
      `${sets.length} sets over ${segments.length} periods are more than ${MAX_RUNS} runs. Make steps larger, or use fewer windows.`,
    )
  const runs: SetRun[] = []
  const refused: NewSweepResult[] = []
  let firstRefusal: Refused | undefined
  for (const [segment, { from, to }] of segments.entries()) {
    let isChecked = false
    for (const [set, values] of sets.entries()) {
      const wanted = requestOfSet({ ...request.base, from, to }, names, values)
      // The bars are the same for every set.
      const plan = isChecked ? runner.check(wanted) : await runner.prepare(wanted)
      if (plan instanceof Refused) {
        firstRefusal ??= plan
        refused.push({ segment, set_number: set, hash: null, figures: null, error: plan.detail })
      } else {
        isChecked = true
        runs.push({ set, segment, plan })
      }
    }
  }
  if (runs.length === 0 && firstRefusal) return inBase(firstRefusal)
  return { names, sets, segments, runs, refused }
}

/** The fields of a run are inside of `base`. */
function inBase({ code, detail, errors }: Refused): Refused {
  const moved = errors?.map(({ field, message }) => ({
    field: field.replace(/^body\./, 'body.base.'),
    message,
  }))
  return new Refused(code, detail, moved)
}

function invalid(field: string, sentence: string): Refused {
  return new Refused('request.invalid', sentence, [{ field: `body.${field}`, message: sentence }])
}

export function unknownSweep(id: number | string): Refused {
  return notFound('sweep', String(id), { list: 'GET /api/nautilus/sweeps' })
}

function sweepEnded(id: number): Refused {
  return new Refused('backtest.ended', `Sweep ${id} has ended and cannot be cancelled.`)
}
