import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BarColumns, createColumns } from '#market/history.ts'
import { standardInstruments } from '#market/instruments.ts'
import { createRandom } from '#market/random.ts'
import { buildStrategy } from '#strategies/build.ts'
import type { Strategy, StrategyContext } from '#strategies/strategy.ts'
import { generated } from '#testkit/generated.ts'
import { idFrom, type StrategyId } from '#values/ids.ts'
import { BUILT_IN_KINDS } from './kinds.ts'

const instruments = standardInstruments()
const LENGTH = 300

/** Closes that wander and jump now and then. */
function columnsOf(seed: number) {
  const random = createRandom(seed)
  const bars = createColumns(idFrom('BTCUSDT-PERP'), '1m', LENGTH)
  let price = 6_000_000
  for (let row = 0; row < LENGTH; row++) {
    price = Math.round(price * (1 + 0.001 * random.normal() + (random.uniform() < 0.05 ? 0.004 : 0)))
    bars.start[row] = row * 60_000
    bars.open[row] = bars.high[row] = bars.low[row] = bars.close[row] = price
  }
  return bars
}

/** A context in which every target is held at once. */
function createDesk(): StrategyContext & { wants: number[] } {
  const wants: number[] = []
  let held = 0
  return {
    wants,
    strategy: idFrom<StrategyId>('S-1'),
    now: 0,
    isLive: true,
    bid: () => 6_000_000,
    ask: () => 6_000_001,
    quotedAt: () => 1,
    position: () => held,
    working: () => 0,
    orders: () => [],
    lotsFor: () => 100,
    place: () => {},
    cancel: () => {},
    target: (_slot, lots) => {
      held = lots
      wants.push(lots)
    },
  }
}

function made(type: string, config: Record<string, unknown>): Strategy {
  const built = buildStrategy(BUILT_IN_KINDS, type, config, instruments)
  if (!built.ok) throw new Error(JSON.stringify(built.reason))
  return built.value.strategy
}

/** Returns the rows at which it acts, with what it wants; a stride of 0 takes bar by bar. */
function actsOf(strategy: Strategy, bars: BarColumns, stride: number): [row: number, lots: number][] {
  const context = createDesk()
  const acts: [number, number][] = []
  let row = 0
  while (row < LENGTH) {
    const until = Math.min(LENGTH, row + stride)
    row = strategy.takeQuiet?.(bars, row, until, context, NO_QUOTES) ?? row
    if (row === until && stride > 0) continue
    strategy.onBar?.({ ...BAR, close: bars.close[row] ?? 0 }, context)
    for (const lots of context.wants.splice(0)) acts.push([row, lots])
    row += 1
  }
  return acts
}

const NO_QUOTES = { bid: () => 0, ask: () => 0 }
const BAR = { slot: 0, start: 0, open: 0, high: 0, low: 0, close: 0, volume: 0 }

test.each([
  ['momentum', { fast_bars: 3, slow_bars: 8, threshold_bps: 2 }],
  ['mean_reversion', { window_bars: 10, entry_score: 1.5, min_edge_bps: 1, max_hold_bars: 20 }],
])('%s over quiet stretches at once wants what it wants bar by bar', (type, config) => {
  let acted = 0
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 1, max: 50 }), (seed, stride) => {
      const bars = columnsOf(seed)
      const slow = actsOf(made(type, config), bars, 0)
      const fast = actsOf(made(type, config), bars, stride)
      expect(fast).toEqual(slow)
      acted += slow.length
    }),
    generated('quietStretches'),
  )
  expect(acted).toBeGreaterThan(1_000)
})
