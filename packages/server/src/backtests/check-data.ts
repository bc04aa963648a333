import { type Instruments, instant, priceToNumber, quantityToNumber } from '@binnacle/engine'
import type { RecordedBars } from '#catalog/catalog.ts'
import type { Refused } from '#http/problems.ts'
import { wrong } from './check-request.ts'
import type { BacktestPlan } from './plan.ts'

/** So many minutes of one instrument fit into memory beside all else: nine and a half years. */
const BARS_MAX = 5_000_000

/** Refuses a run for which there are no bars, too many, or whose capital does not buy the smallest order. */
export async function checkData(
  plan: BacktestPlan,
  recorded: RecordedBars,
  instruments: Instruments,
): Promise<Refused | null> {
  for (const id of plan.instruments) {
    const period = { instrument: id, interval: '1m', from: instant(plan.from), to: instant(plan.to) } as const
    const found = await recorded.count(period)
    if (found.rows === 0) return wrong('from', noBars(id, plan, await recorded.spanOf(id)))
    if (found.rows > BARS_MAX) {
      const sentence = `The period has ${found.rows} 1-minute bars of ${id}; at most ${BARS_MAX} can be run at once.`
      return wrong('from', sentence)
    }
    const { minQuantity, tickLotValue, lot, tick } = instruments.get(id)
    const least = (found.firstOpen * minQuantity * Number(tickLotValue)) / 1e8
    if (plan.request.initial_cash < least) {
      const size = `${quantityToNumber(minQuantity, lot)} ${id} at ${priceToNumber(found.firstOpen, tick)}`
      const given = plan.request.initial_cash
      const sentence = `initial_cash (${given}) does not buy the smallest order: ${size} cost ${least.toFixed(2)}.`
      return wrong('initial_cash', sentence)
    }
  }
  return null
}

function noBars(id: string, { from, to }: BacktestPlan, span: { from: number; to: number } | null): string {
  const asked = `There are no bars of ${id} from ${textOf(from)} to ${textOf(to)}`
  if (span === null) return `${asked}; none of it are recorded at all.`
  return `${asked}; there are bars from ${textOf(span.from)} to ${textOf(span.to)}.`
}

function textOf(ms: number): string {
  return new Date(ms).toISOString()
}
