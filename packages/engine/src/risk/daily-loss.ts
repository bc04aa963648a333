import { isUp } from '#components/component.ts'
import { type Core, emit } from '#core.ts'
import { cancelAdding } from '#orders/cancel.ts'
import { minus, moneyToNumber } from '#values/money.ts'
import { pictureOf } from './exposure.ts'
import type { TradingState, TradingStateReason } from './trading-state.ts'

/** Moves to REDUCING when the day's loss reaches its limit; doubles watch, exact money decides. */
export function watchDailyLoss(core: Core): void {
  const { risk, components } = core.state
  if (!core.valuation.isLossReached()) return
  if (risk.tradingState !== 'ACTIVE') return
  if (!isUp(components, 'RiskEngine') || !isUp(components, 'Portfolio')) return
  const loss = minus(risk.equityAtDayStart, pictureOf(core).equity)
  const limit = risk.limits.maxDailyLoss
  if (loss < limit) return
  emit(core, { type: 'LimitBreached', limit: 'max_daily_loss', value: loss, threshold: limit })
  enterTradingState(core, 'REDUCING', {
    code: 'daily-loss',
    loss: moneyToNumber(loss),
    limit: moneyToNumber(limit),
  })
}

/** Changes the trading state; leaving ACTIVE takes back what would still add exposure. */
export function enterTradingState(core: Core, to: TradingState, reason: TradingStateReason): void {
  const from = core.state.risk.tradingState
  if (from === to) return
  emit(core, { type: 'TradingStateChanged', from, to, reason })
  if (to !== 'ACTIVE') cancelAdding(core, { code: 'cancel.trading-state', state: to })
}
