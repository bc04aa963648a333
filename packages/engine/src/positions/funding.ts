import { type Core, emit } from '#core.ts'
import type { FundingReport } from '#input.ts'
import { notionalOf } from '#market/instrument.ts'
import { NO_MONEY, negative, portion } from '#values/money.ts'

/** A rate of one, in the units in which rates are told. */
const RATE_ONE = 1e8

/** Pays or receives funding on every position in the instrument. */
export function payFunding(core: Core, report: FundingReport): void {
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
    })
  }
}
