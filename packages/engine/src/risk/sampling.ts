import { isUp } from '#components/component.ts'
import { type Core, emit } from '#core.ts'
import { type Instant, instant, startOfDay } from '#values/instant.ts'
import { moneyToNumber, nearestMoney } from '#values/money.ts'
import { watchDailyLoss } from './daily-loss.ts'

const SAMPLE_EVERY_MS = 60_000
/** A drawdown is noted when it is this much deeper, so that a slow fall does not fill the journal. */
export const DEEPER_PPM = 100

/** What time passing does: a new day's start, and once a minute the high-water mark and the drawdown. */
export function passTime(core: Core, at: Instant): void {
  if (!core.state.isOpen) return
  const previous = core.sampled.at
  if (previous !== null && at < previous + SAMPLE_EVERY_MS && startOfDay(at) === core.state.risk.day) return
  core.sampled.at = instant(at - (at % SAMPLE_EVERY_MS))
  startDay(core, at)
  if (isUp(core.state.components, 'Portfolio')) sampleEquity(core)
  watchDailyLoss(core)
}

function startDay(core: Core, at: Instant): void {
  const day = startOfDay(at)
  if (day <= core.state.risk.day) return
  noteCloses(core, day)
  emit(core, { type: 'DayStarted', day, equity: nearestMoney(core.valuation.equity()) })
}

function noteCloses(core: Core, dayEnd: Instant): void {
  core.instruments.all.forEach((_, index) => {
    const bothSides = (core.marks.bid[index] ?? 0) + (core.marks.ask[index] ?? 0)
    if (bothSides > 0) core.closes.note(index, dayEnd, bothSides / 2)
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
  if (drawdownPpm >= risk.drawdownPpm + DEEPER_PPM) emit(core, { type: 'DrawdownDeepened', drawdownPpm })
}

/** Returns how far equity is below the high-water mark, in millionths of it. */
export function drawdownOf(highWater: number, equity: number): number {
  return highWater <= 0 ? 0 : Math.max(0, Math.round((1 - equity / highWater) * 1e6))
}
