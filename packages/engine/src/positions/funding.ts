import { type Core, emit } from '#core.ts'
import type { FundingReport } from '#input.ts'
import { notionalOf } from '#market/instrument.ts'
import { UNITS_PER_ONE } from '#values/decimal.ts'
import { money, portion } from '#values/money.ts'

/** Pays or receives funding on every position in the instrument. */
export function payFunding(core: Core, report: FundingReport): void {
  const instrument = core.instruments.get(report.instrument)
  for (const position of [...core.state.positions.open.values()]) {
    if (position.instrument !== report.instrument) continue
    const value = notionalOf(instrument, report.price, position.quantity)
    const amount = portion(money(-value), report.rateE8, UNITS_PER_ONE)
    if (amount === 0n) continue
    emit(core, {
      type: 'FundingPaid',
      strategy: position.strategy,
      instrument: position.instrument,
      amount,
    })
  }
}
