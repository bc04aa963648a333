import { type Instruments, instantFromMs, priceToNumber, quantityToNumber } from '@binnacle/engine'
import type { Refused } from '#http/problems.ts'
import type { BarCount } from '#trading/catalog/bar-files.ts'
import type { RecordedBars } from '#trading/catalog/catalog.ts'
import { wrong } from './check-request.ts'
import { type BacktestPlan, baseInterval } from './plan.ts'

/** So many minutes of one instrument fit into memory beside all else: nine and a half years. */
const BARS_MAX = 5_000_000

/** What there is of each instrument in a plan's period, in the order of the plan. */
export type BarCounts = readonly BarCount[]

/** Counts the bars of a plan, or says that there are none or too many. */
export async function countBars(
  plan: BacktestPlan,
  recorded: Pick<RecordedBars, 'count' | 'spanOf'>,
): Promise<BarCounts | Refused> {
  const counts: BarCount[] = []
  const interval = baseInterval(plan)
  for (const id of plan.instruments) {
    const period = {
      instrument: id,
      interval,
      from: instantFromMs(plan.from),
      to: instantFromMs(plan.to),
    } as const
    const found = await recorded.count(period)
    if (found.rows === 0) return wrong('from', noBars(id, plan, await recorded.spanOf(id)))
    if (found.rows > BARS_MAX) {
      const sentence = `The period has ${found.rows} ${interval === '1m' ? '1-minute' : interval} bars of ${id}; at most ${BARS_MAX} can be run at once.`
      return wrong('from', sentence)
    }
    counts.push(found)
  }
  return counts
}

/** Refuses a run whose capital does not buy the smallest order. */
export function checkCapital(
  plan: BacktestPlan,
  counts: BarCounts,
  instruments: Instruments,
): Refused | null {
  const given = plan.request.initial_cash
  for (const [place, { firstOpen }] of counts.entries()) {
    const id = plan.instruments[place]
    if (id === undefined) continue
    const { minQuantity, tickLotValue, lot, tick } = instruments.get(id)
    const least = (firstOpen * minQuantity * Number(tickLotValue)) / 1e8
    if (given >= least) continue
    const size = `${quantityToNumber(minQuantity, lot)} ${id} at ${priceToNumber(firstOpen, tick)}`
    const sentence = `Capital, ${given}, does not buy the smallest order: ${size} cost ${least.toFixed(2)}. Raise it.`
    return wrong('initial_cash', sentence)
  }
  return null
}

function noBars(id: string, { from, to }: BacktestPlan, span: { from: number; to: number } | null): string {
  const missing = `There are no bars of ${id} from ${textOf(from)} to ${textOf(to)}`
  if (span === null) return `${missing}. No bars of it are recorded.`
  return `${missing}. Recorded: from ${textOf(span.from)} to ${textOf(span.to)}.`
}

function textOf(ms: number): string {
  return new Date(ms).toISOString()
}
