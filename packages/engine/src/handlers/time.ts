import { bidPlusAsk } from '#market/marks.ts'
import { enforceDailyLoss, isEquityPending } from '#orders/trading-state.ts'
import { isAvailable } from '#state/components.ts'
import { DRAWDOWN_STEP_PPM, drawdownOf } from '#state/risk-register.ts'
import { emit } from '#step/record.ts'
import type { Core } from '#step/step-core.ts'
import { type Instant, instantFromMs, startOfDay } from '#values/instant.ts'
import { moneyToNumber, nearestMoney } from '#values/money.ts'

const SAMPLE_EVERY_MS = 60_000

/**
 * Handles time passing: the start of a day and, once a minute, the high-water mark and the drawdown. A position without
 * a quote is valued at its cost, so both wait for quotes after a start; the day only for a while.
 */
export function handleTimer(core: Core, at: Instant): void {
  if (!core.state.isOpen) return
  const previous = core.sampled.at
  if (previous !== null && at < previous + SAMPLE_EVERY_MS && startOfDay(at) === core.state.risk.day) return
  core.sampled.at = instantFromMs(at - (at % SAMPLE_EVERY_MS))
  const isMarked = core.valuation.isMarked()
  core.sampled.unmarkedSince = isMarked ? null : (core.sampled.unmarkedSince ?? at)
  if (isEquityPending(core)) return
  startDay(core, at)
  if (isMarked && isAvailable(core.state.components, 'portfolioFigures')) sampleEquity(core)
  enforceDailyLoss(core)
}

function startDay(core: Core, at: Instant): void {
  const day = startOfDay(at)
  if (day <= core.state.risk.day) return
  recordCloses(core, day)
  emit(core, { type: 'DayStarted', day, equity: nearestMoney(core.valuation.equity()) })
}

function recordCloses(core: Core, dayEnd: Instant): void {
  core.instruments.all.forEach((_, index) => {
    const doubleMid = bidPlusAsk(core.marks, index)
    if (doubleMid > 0) core.closes.record(index, dayEnd, doubleMid / 2)
  })
}

function sampleEquity(core: Core): void {
  const { risk } = core.state
  const equity = nearestMoney(core.valuation.equity())
  if (equity > risk.highWater) {
    emit(core, { type: 'HighWaterRaised', equity })
    return
  }
  const drawdownPpm = drawdownOf(moneyToNumber(risk.highWater), moneyToNumber(equity))
  if (drawdownPpm >= risk.drawdownPpm + DRAWDOWN_STEP_PPM)
    emit(core, { type: 'DrawdownDeepened', drawdownPpm })
}
