import { describe, expect, test } from 'vitest'
import { fold } from '#journal/replay.ts'
import { createRandom } from '#market/random.ts'
import { createHardState } from '#state/hard-state.ts'
import { createLab, type Lab } from '#testkit/lab.ts'
import { runMarket } from '#testkit/market-run.ts'
import type { StrategyId } from '#values/ids.ts'
import { minus, moneyToNumber } from '#values/money.ts'
import { createLatency } from '#venue/latency.ts'
import { createViews } from '#views/views.ts'

const TYPES = ['momentum', 'mean_reversion', 'arbitrage', 'market_making'] as const

function openLab(seed: number): Lab {
  return createLab({ latency: createLatency(20, createRandom(seed).fork('latency')) })
}

function fillsOf(lab: Lab, id: StrategyId): number {
  return lab.state.positions.results.get(id)?.fills ?? 0
}

function isBalanced({ state }: Lab): boolean {
  const { account, positions } = state
  const cost = [...positions.open.values()].reduce((sum, position) => sum + BigInt(position.cost), 0n)
  const results = [...positions.results.values()].reduce((sum, { realised }) => sum + BigInt(realised), 0n)
  const owed =
    BigInt(account.deposited) + BigInt(account.realised) - BigInt(account.fees) + BigInt(account.funding)
  return BigInt(account.cash) + cost === owed && results === BigInt(account.realised)
}

describe('on the simulated market with defaults', () => {
  test.each(TYPES)('[STRAT-15] %s trades within two minutes of its start, and loses little by it', (type) => {
    for (const seed of [11, 12, 13, 14, 15]) {
      const lab = openLab(seed)
      const id = lab.runStrategy(type)
      runMarket(lab, seed, 120)
      expect(fillsOf(lab, id)).toBeGreaterThan(0)
      expect(lab.state.strategies.all.get(id)?.status).toBe('running')
      expect(Number(lab.state.account.fees) / 1e8).toBeLessThan(5)
    }
  })

  test('ten at once for ten minutes stay within the default limits, without an error, the books balanced', () => {
    const lab = openLab(21)
    const ids = [...TYPES, ...TYPES, TYPES[0], TYPES[1]].map((type) => lab.runStrategy(type))
    runMarket(lab, 21, 600)
    for (const id of ids) {
      expect(lab.state.strategies.all.get(id)?.status).toBe('running')
      expect(fillsOf(lab, id)).toBeGreaterThan(0)
    }
    expect(lab.state.risk.tradingState).toBe('ACTIVE')
    expect(isBalanced(lab)).toBe(true)
    const denied = lab.events.filter(({ type }) => type === 'OrderDenied').length
    expect(denied).toBeLessThan(30)
    const total = lab.events.filter(({ type }) => type === 'OrderFilled').length
    expect(total).toBeGreaterThan(100)
    const spent = moneyToNumber(minus(lab.state.account.deposited, lab.state.account.cash))
    expect(Math.abs(spent)).toBeLessThan(20_000)
  })

  test('the figures of a strategy are exact and the same after folding the journal', () => {
    const lab = openLab(31)
    const ids = TYPES.map((type) => lab.runStrategy(type))
    runMarket(lab, 31, 180)
    const soft = lab.engine.computeLiveFigures()
    const live = createViews(lab.instruments, lab.state)
    live.refresh(soft)
    const folded = createViews(lab.instruments, fold(createHardState(), lab.entries))
    folded.refresh(soft)
    expect(folded.strategies()).toEqual(live.strategies())
    for (const id of ids) {
      const mine = new Set(
        lab.events.flatMap((event) =>
          event.type === 'OrderSubmitted' && event.terms.strategy === id ? [event.orderId] : [],
        ),
      )
      const fills = lab.events.flatMap((event) =>
        event.type === 'OrderFilled' && mine.has(event.orderId) ? [event] : [],
      )
      const net = fills.reduce((sum, { realised, fee }) => sum + BigInt(realised) - BigInt(fee), 0n)
      const view = live.strategy(id)
      expect(view?.fills).toBe(fills.length)
      expect(Math.round(Number(view?.exactNet) * 1e8)).toBe(Number(net))
      expect(view?.pnl).toBeCloseTo(Number(net) / 1e8 + (view?.unrealised ?? 0), 8)
    }
  })

  test('the same seed gives the same trades', () => {
    const trades = () => {
      const lab = openLab(41)
      for (const type of TYPES) lab.runStrategy(type)
      runMarket(lab, 41, 90)
      return lab.events.filter(({ type }) => type === 'OrderFilled')
    }
    expect(trades()).toEqual(trades())
  })
})
