import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BarColumns } from '#market/history.ts'
import { createInstruments, standardInstruments } from '#market/instruments.ts'
import type { StrategyKind } from '#strategies/strategy.ts'
import { walkBars } from '#testkit/bars.ts'
import { generated } from '#testkit/generated.ts'
import { idFrom } from '#values/ids.ts'
import { createBacktest } from './backtest.ts'
import { checkLookAhead, type DecidingRun, decisionsIn } from './look-ahead.ts'

const bitcoin = standardInstruments().get(idFrom('BTCUSDT'))
const LIMITS = { maxOrderSize: 1e9, maxPositionSize: 1e9, maxDailyLoss: 1e9, maxPositions: 10 }

interface Rule {
  /** Bars between the two closes that are compared. */
  distance: number
  /** How many bars ahead it looks: 0 for an honest strategy. */
  ahead: number
}

/** Holds something when the close of `ahead` bars later is above the one `distance` bars before that. */
function follower(bars: readonly BarColumns[], { distance, ahead }: Rule): StrategyKind {
  const close = bars[0]?.close ?? new Float64Array()
  return {
    type: 'follower',
    title: '',
    about: '',
    earnsWhen: '',
    losesWhen: '',
    parameters: [],
    create: () => {
      let row = 0
      return {
        instruments: [bitcoin.id],
        interval: '1m',
        warmUpBars: 0,
        onBar: (_, desk) => {
          const later = close[row + ahead]
          const earlier = close[row + ahead - distance]
          row += 1
          if (earlier === undefined || later === undefined) return
          desk.target(0, later > earlier ? 100 : 0)
        },
      }
    },
  }
}

function open(rule: Rule) {
  return (bars: readonly BarColumns[]): DecidingRun => {
    const decisions: string[] = []
    const made = createBacktest({
      instruments: createInstruments([bitcoin]),
      bars,
      strategy: { type: 'follower', config: {} },
      capital: 1_000_000,
      limits: LIMITS,
      slippageBps: 0,
      latencyMs: 0,
      seed: 1,
      kinds: [follower(bars, rule)],
      onEntry: (entry) => decisions.push(...decisionsIn(entry)),
    })
    if (!made.ok) throw new Error('The backtest was refused')
    return Object.assign(made.value, { decisions })
  }
}

const cases = fc.record({
  rows: fc.integer({ min: 60, max: 300 }),
  seed: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  distance: fc.integer({ min: 1, max: 8 }),
  ahead: fc.integer({ min: 1, max: 5 }),
})

describe('the look-ahead check', () => {
  test('[BT-42] catches a strategy that uses later bars, and passes the same rule without them', () =>
    fc.assert(
      fc.asyncProperty(cases, async ({ rows, seed, distance, ahead }) => {
        const bars = [walkBars({ rows, seed })]
        const peeking = await checkLookAhead({ bars, open: open({ distance, ahead }) })
        expect(peeking?.difference).not.toBeNull()
        const honest = await checkLookAhead({ bars, open: open({ distance, ahead: 0 }) })
        expect(honest).toMatchObject({ difference: null })
        expect(honest?.decisions).toBeGreaterThan(0)
        expect(honest?.cuts).toBeGreaterThan(2)
      }),
      generated('lookAheadCases'),
    ))

  test('[BT-42] names the last bar before the cut and both decisions', async () => {
    const report = await checkLookAhead({
      bars: [walkBars({ rows: 100, seed: 3 })],
      open: open({ distance: 1, ahead: 1 }),
    })
    expect(report?.difference?.whole).toContain('OrderSubmitted')
    expect(report?.difference?.cut).toBeNull()
    expect(report?.difference?.at).toBeGreaterThanOrEqual(Date.UTC(2026, 0, 5))
  })

  test('[BT-42] stops on request, and a history without orders has nothing to compare', async () => {
    const bars = [walkBars({ rows: 50, seed: 3 })]
    expect(
      await checkLookAhead({ bars, open: open({ distance: 1, ahead: 0 }), isStopped: () => true }),
    ).toBeNull()
    expect(await checkLookAhead({ bars, open: open({ distance: 90, ahead: 0 }) })).toMatchObject({
      decisions: 0,
      difference: null,
    })
  })
})
