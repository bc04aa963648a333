import { expect, test } from 'vitest'
import { fold } from '#journal/replay.ts'
import { decodeSnapshot, encodeSnapshot } from '#journal/snapshot.ts'
import { describeReason } from '#model/describe.ts'
import { createHardState } from '#state/hard-state.ts'
import { createLab } from '#testkit/lab.ts'
import { createWealthyLab } from '#testkit/wealthy-lab.ts'
import type { StrategyId } from '#values/ids.ts'

/** A strategy that bought 1 BTC at 50,001 with a loss limit. */
function aLosingStrategy(limit: number) {
  const lab = createWealthyLab('BTCUSDT-PERP')
  const strategy = lab.runStrategy('momentum', { instrument: 'BTCUSDT-PERP' })
  lab.run({ type: 'StopStrategy', strategy })
  expect(lab.run({ type: 'LimitStrategyLoss', strategy, limit })).toMatchObject({ ok: true })
  lab.place({ strategy, quantity: 1 })
  return { lab, strategy }
}

const buy = (strategy: StrategyId) => ({
  strategy,
  quantity: 0.1,
  orderType: 'LIMIT' as const,
  price: 48_000,
})

test('[RISK-66] a strategy that has lost its limit may only reduce; others are not concerned', () => {
  const { lab, strategy } = aLosingStrategy(1_000)
  lab.quote({ bid: 49_200, ask: 49_201 })
  expect(lab.place(buy(strategy))).toMatchObject({ state: 'WORKING' })
  lab.quote({ bid: 48_900, ask: 48_901 })
  const denied = lab.place(buy(strategy))
  expect(denied).toMatchObject({
    state: 'DENIED',
    reason: { code: 'limit.strategy-loss', strategy, limit: 1_000 },
  })
  expect(lab.preview(buy(strategy)).denial).toMatchObject({ code: 'limit.strategy-loss' })
  expect(lab.place({ strategy, side: 'SELL', quantity: 0.5 })).toMatchObject({ state: 'FILLED' })
  expect(lab.place({ quantity: 0.1 })).toMatchObject({ state: 'FILLED' })
  lab.run({ type: 'LimitStrategyLoss', strategy, limit: null })
  expect(lab.place(buy(strategy))).toMatchObject({ state: 'WORKING' })
})

test('[RISK-67] the limit survives a restart, from the journal and from a snapshot', () => {
  const { lab, strategy } = aLosingStrategy(1_000)
  const folded = fold(createHardState(), lab.entries)
  expect(folded.strategies.all.get(strategy)).toMatchObject({ lossLimit: '1000' })
  const restarted = createLab({ traded: 'BTCUSDT-PERP', state: decodeSnapshot(encodeSnapshot(folded)) })
  restarted.quote({ bid: 48_900, ask: 48_901 })
  expect(restarted.place(buy(strategy))).toMatchObject({ reason: { code: 'limit.strategy-loss' } })
})

test('[RISK-66] a limit must be an amount, and the strategy must exist', () => {
  const { lab, strategy } = aLosingStrategy(1_000)
  const answer = lab.run({ type: 'LimitStrategyLoss', strategy, limit: -1 })
  expect(!answer.ok && describeReason(answer.reason)).toBe(
    "The loss limit cannot be '-1'; it must be zero or more.",
  )
  const unknown = 'S-99' as StrategyId
  expect(lab.run({ type: 'LimitStrategyLoss', strategy: unknown, limit: 1 })).toMatchObject({
    reason: { code: 'strategy.unknown' },
  })
})
