import type { FundingReport } from '#model/input.ts'
import { notionalOf } from '#model/instrument.ts'
import { emit } from '#step/record.ts'
import type { Core } from '#step/step-core.ts'
import { NO_MONEY, negative, portion } from '#values/money.ts'

/** A rate of 1 in the units of funding rates. */
const RATE_ONE = 1e8

/** Pays or receives funding on every position in the instrument, once for each settlement. */
export function payFunding(core: Core, report: FundingReport): void {
  const { settledAt } = report
  if (settledAt !== undefined && settledAt <= (core.state.funded.get(report.instrument) ?? 0)) return
  const instrument = core.instruments.get(report.instrument)
  for (const position of [...core.state.positions.open.values()]) {
    if (position.instrument !== report.instrument) continue
    const value = notionalOf(instrument, report.price, position.quantity)
    const amount = portion(negative(value), report.rateE8, RATE_ONE)
    if (amount === NO_MONEY) continue
    emit(core, {
      type: 'FundingPaid',
      strategy: position.strategy,
      instrument: position.instrument,
      amount,
      ...(settledAt !== undefined && { settledAt }),
    })
  }
}
