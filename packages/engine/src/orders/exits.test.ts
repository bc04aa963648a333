import { describe, expect, test } from 'vitest'
import { decodeEntry, encodeEntry } from '#journal/codec.ts'
import { fold } from '#journal/replay.ts'
import { decodeSnapshot, encodeSnapshot } from '#journal/snapshot.ts'
import type { ChangeExits } from '#model/input.ts'
import { createHardState } from '#state/hard-state.ts'
import { createLab, type Lab } from '#testkit/lab.ts'
import { createWealthyLab } from '#testkit/wealthy-lab.ts'
import { idFrom, MANUAL, type PositionId, type StrategyId } from '#values/ids.ts'
import { createViews } from '#views/views.ts'

const PERP = 'BTCUSDT-PERP'
const P1 = idFrom<PositionId>('P-1')

/** A long or short position of 1 BTC, opened at 50,001 or 50,000. */
function holding(side: 'BUY' | 'SELL', strategy = MANUAL): Lab {
  const lab = createWealthyLab(PERP)
  lab.place({ side, quantity: 1, strategy })
  return lab
}

function change(lab: Lab, exits: Omit<ChangeExits, 'type' | 'positionId'>) {
  return lab.run({ type: 'ChangeExits', positionId: P1, ...exits })
}

const orders = (lab: Lab) => lab.events.filter(({ type }) => type === 'OrderSubmitted')

function shown(lab: Lab) {
  const views = createViews(lab.instruments, decodeSnapshot(encodeSnapshot(lab.state)))
  views.refresh(lab.engine.computeLiveFigures())
  return views.positions()
}

describe('[POS-26] an exit price closes the whole position by a reduce-only market order', () => {
  test.each([
    ['stop-loss of a long position, at the bid', 'BUY', 49_000, 49_000, 49_001],
    ['take-profit of a long position, at the bid', 'BUY', 52_000, 52_000, 52_001],
    ['stop-loss of a short position, at the ask', 'SELL', 51_000, 50_999, 51_000],
    ['take-profit of a short position, at the ask', 'SELL', 48_000, 47_999, 48_000],
  ] as const)('%s', (_, side, price, bid, ask) => {
    const lab = holding(side)
    const isStop = (side === 'BUY') === price < 50_000
    const other = side === 'BUY' ? (isStop ? 60_000 : 40_000) : isStop ? 40_000 : 60_000
    const exits = isStop ? { stopLoss: price, takeProfit: other } : { stopLoss: other, takeProfit: price }
    expect(change(lab, exits)).toMatchObject({ ok: true })
    const short = side === 'SELL'
    // One tick before the price nothing happens.
    const almost = isStop === short ? -0.1 : 0.1
    lab.quote({ bid: bid + almost, ask: ask + almost })
    expect(lab.state.positions.open.size).toBe(1)
    lab.quote({ bid, ask })
    expect(lab.state.positions.open.size).toBe(0)
    expect(orders(lab).at(-1)).toMatchObject({
      terms: { type: 'MARKET', reduceOnly: true, timeInForce: 'IOC', side: short ? 'BUY' : 'SELL' },
      basis: {
        effect: 'closes',
        intent: { type: 'exit', exit: isStop ? 'stop-loss' : 'take-profit', price },
      },
    })
  })

  test('a position of a strategy is closed too, and the closing orders of others stay', () => {
    const lab = createWealthyLab(PERP)
    const strategy = lab.runStrategy('momentum', { instrument: PERP })
    lab.place({ side: 'BUY', quantity: 1, strategy })
    const manual = lab.place({ side: 'SELL', quantity: 0.1, orderType: 'LIMIT', price: 55_000 })
    const own = lab.place({ side: 'SELL', quantity: 1, orderType: 'LIMIT', price: 55_000, strategy })
    change(lab, { stopLoss: 49_000 })
    lab.quote({ bid: 48_900, ask: 48_901 })
    expect(lab.state.positions.open.size).toBe(0)
    expect(lab.order(manual.id)).toMatchObject({ state: 'WORKING' })
    expect(lab.order(own.id)).toMatchObject({ state: 'CANCELLED' })
  })

  test('both prices end with the position, so that the next one has none', () => {
    const lab = holding('BUY')
    change(lab, { stopLoss: 49_000, takeProfit: 52_000 })
    lab.quote({ bid: 52_000, ask: 52_001 })
    lab.place({ side: 'BUY', quantity: 1 })
    lab.quote({ bid: 48_000, ask: 48_001 })
    expect(shown(lab)).toMatchObject([{ id: 'P-2', stopLoss: null, takeProfit: null }])
  })

  test('trading that is reduce-only does not stop them', () => {
    const lab = holding('BUY')
    change(lab, { stopLoss: 49_000 })
    lab.run({ type: 'ChangeTradingState', to: 'REDUCING' })
    lab.quote({ bid: 48_900, ask: 48_901 })
    expect(lab.state.positions.open.size).toBe(0)
  })
})

describe('[POS-25] exit prices are set, changed and removed', () => {
  test('an omitted price stays, null removes one, and a repeat changes nothing', () => {
    const lab = holding('BUY')
    change(lab, { stopLoss: 49_000 })
    change(lab, { takeProfit: '52000.5' })
    expect(shown(lab)).toMatchObject([{ stopLoss: 49_000, takeProfit: 52_000.5, exitObstacle: null }])
    expect(lab.watch(() => change(lab, { stopLoss: 49_000 }))).toEqual([])
    change(lab, { stopLoss: null })
    expect(shown(lab)).toMatchObject([{ stopLoss: null, takeProfit: 52_000.5 }])
    change(lab, { takeProfit: null })
    expect([...lab.state.positions.open.values()][0]?.exits).toBeNull()
    lab.quote({ bid: 53_000, ask: 53_001 })
    expect(lab.state.positions.open.size).toBe(1)
  })

  test.each([
    ['BUY', { stopLoss: 50_000 }, 'stop-loss', 50_000],
    ['BUY', { takeProfit: 50_000 }, 'take-profit', 50_000],
    ['SELL', { stopLoss: 50_001 }, 'stop-loss', 50_001],
    ['SELL', { takeProfit: 50_001 }, 'take-profit', 50_001],
  ] as const)(
    '%s: a price that the market has reached is refused with both numbers: %o',
    (side, given, exit, market) => {
      const lab = holding(side)
      expect(change(lab, given)).toEqual({
        ok: false,
        reason: { code: 'exit.past-market', exit, isLong: side === 'BUY', price: market, market },
      })
      expect([...lab.state.positions.open.values()][0]?.exits).toBeNull()
    },
  )

  test('a price off the tick, an unknown position and an unquoted instrument are refused', () => {
    const lab = holding('BUY')
    expect(change(lab, { stopLoss: 49_000.123 })).toMatchObject({
      reason: { code: 'exit.malformed', exit: 'stop-loss', problem: { code: 'price.off-tick' } },
    })
    expect(change(lab, { takeProfit: 'x' })).toMatchObject({
      reason: { code: 'exit.malformed', exit: 'take-profit', problem: { code: 'price.not-a-number' } },
    })
    expect(lab.run({ type: 'ChangeExits', positionId: idFrom('P-9'), stopLoss: 1 })).toMatchObject({
      reason: { code: 'position.unknown' },
    })
    const restarted = createLab({ state: fold(createHardState(), lab.entries) })
    expect(change(restarted, { stopLoss: 49_000 })).toMatchObject({ reason: { code: 'market.none' } })
  })
})

describe('[POS-28] exit prices are in the journal', () => {
  test('they survive a restart, from the journal and from a snapshot', () => {
    const lab = holding('BUY')
    change(lab, { stopLoss: 49_000, takeProfit: 52_000 })
    const folded = fold(createHardState(), lab.entries.map(encodeEntry).map(decodeEntry))
    for (const state of [decodeSnapshot(encodeSnapshot(folded)), folded]) {
      const restarted = createLab({ traded: PERP, state })
      restarted.quote({ bid: 49_500, ask: 49_501 })
      expect(restarted.state.positions.open.size).toBe(1)
      restarted.quote({ bid: 48_900, ask: 48_901 })
      expect(restarted.state.positions.open.size).toBe(0)
    }
  })

  test('a snapshot of an older version has none', () => {
    const lab = holding('BUY')
    const { seq, text } = encodeSnapshot(lab.state)
    const older = decodeSnapshot({ seq, text: text.replace('"exits":null,', '') })
    expect([...older.positions.open.values()][0]?.exits).toBeNull()
  })

  test('more of the position or less of it keeps them, a flip ends them', () => {
    const lab = holding('BUY')
    change(lab, { stopLoss: 49_000 })
    lab.place({ side: 'BUY', quantity: 1 })
    lab.place({ side: 'SELL', quantity: 0.5 })
    expect(shown(lab)).toMatchObject([{ quantity: 1.5, stopLoss: 49_000 }])
    lab.place({ side: 'SELL', quantity: 3 })
    expect(shown(lab)).toMatchObject([{ side: 'SHORT', quantity: 1.5, stopLoss: null }])
  })
})

describe('[POS-29] a close that would be denied leaves no order', () => {
  test('it waits with its reason while trading is halted, and closes with the first quote after', () => {
    const lab = holding('BUY')
    change(lab, { stopLoss: 49_000 })
    lab.run({ type: 'ChangeTradingState', to: 'HALTED' })
    const before = lab.events.length
    lab.quote({ bid: 48_900, ask: 48_901 })
    lab.quote({ bid: 48_800, ask: 48_801 })
    expect(lab.events).toHaveLength(before)
    expect(shown(lab)[0]?.exitObstacle).toMatch(/^Trading is halted\./)
    lab.run({ type: 'ChangeTradingState', to: 'REDUCING' })
    lab.quote({ bid: 48_700, ask: 48_701 })
    expect(lab.state.positions.open.size).toBe(0)
  })

  test('a quote that is back inside the prices closes nothing', () => {
    const lab = holding('BUY')
    change(lab, { stopLoss: 49_000 })
    lab.run({ type: 'DisconnectVenue', venue: 'BINANCE' })
    lab.quote({ bid: 48_900, ask: 48_901 })
    lab.run({ type: 'ConnectVenue', venue: 'BINANCE' })
    lab.quote({ bid: 49_500, ask: 49_501 })
    expect(lab.state.positions.open.size).toBe(1)
  })
})

test('[POS-30] a rest that the market could not take is closed by another order a second later', () => {
  const lab = holding('BUY')
  change(lab, { stopLoss: 49_000 })
  const placed = () => orders(lab).length
  const before = placed()
  lab.quote({ bid: 49_500, ask: 49_501, size: 0.01 })
  lab.quote({ bid: 48_900, ask: 48_901, size: 0.01 })
  expect(placed()).toBe(before + 1)
  expect(shown(lab)).toMatchObject([{ id: 'P-1', stopLoss: 49_000 }])
  lab.quote({ bid: 48_900, ask: 48_901, size: 10 })
  expect(placed()).toBe(before + 1)
  lab.wait(1_000)
  lab.quote({ bid: 48_900, ask: 48_901, size: 10 })
  expect(placed()).toBe(before + 2)
  expect(lab.state.positions.open.size).toBe(0)
})

test('[POS-30] no second order is sent while the first one is on its way', () => {
  const lab = createLab({ traded: PERP, latency: { outboundMs: () => 5_000, inboundMs: () => 0 } })
  lab.quote({})
  lab.place({ side: 'BUY', quantity: 0.1 })
  lab.wait(5_000)
  change(lab, { stopLoss: 49_000 })
  const before = orders(lab).length
  for (let second = 0; second < 4; second++) {
    lab.quote({ bid: 48_900, ask: 48_901 })
    lab.wait(1_000)
  }
  expect(orders(lab)).toHaveLength(before + 1)
  lab.quote({ bid: 48_900, ask: 48_901 })
  lab.wait(1_000)
  expect(lab.state.positions.open.size).toBe(0)
})

test('[POS-26] a running strategy sees that its position was closed', () => {
  const lab = createWealthyLab(PERP)
  const strategy: StrategyId = lab.runStrategy('momentum', { instrument: PERP })
  lab.place({ side: 'BUY', quantity: 1, strategy })
  change(lab, { takeProfit: 50_500 })
  lab.quote({ bid: 50_500, ask: 50_501 })
  expect(lab.engine.live.runners.get(strategy)?.context.position(0)).toBe(0)
})
