import { beforeEach, describe, expect, test } from 'vitest'
import { describeReason } from '#model/describe.ts'
import { createScriptedLab } from '#testkit/scripted-strategy.ts'
import { type InstrumentId, idFrom, type PositionId } from '#values/ids.ts'
import { instantFromMs } from '#values/instant.ts'
import { priceFromTicks } from '#values/price.ts'
import { quantityFromLots } from '#values/quantity.ts'

const BTC = idFrom<InstrumentId>('BTCUSDT')

let { script, lab, id, second } = createScriptedLab()
beforeEach(() => {
  ;({ script, lab, id, second } = createScriptedLab())
})

const record = () => lab.state.strategies.all.get(id)
const held = () =>
  [...lab.state.positions.open.values()].find(({ strategy }) => strategy === id)?.quantity ?? 0

describe('delivery', () => {
  test('bars are built from trades and delivered once, when they end', () => {
    for (const at of [50_000, 50_010, 50_020]) second(at)
    expect(script.closes).toEqual([5_000_000, 5_001_000])
    lab.quote({})
    expect(script.closes).toEqual([5_000_000, 5_001_000, 5_002_000])
    lab.quote({})
    expect(script.closes).toHaveLength(3)
  })

  test('a finished bar of the feed takes the place of the one being built', () => {
    second(50_000)
    lab.quote({})
    lab.trade({ price: 50_007 })
    const end = instantFromMs(lab.now + 1_000)
    const prices = {
      open: priceFromTicks(1),
      high: priceFromTicks(9),
      low: priceFromTicks(1),
      close: priceFromTicks(5),
    }
    const bar = {
      kind: 'tick',
      type: 'bar',
      instrument: BTC,
      interval: '1s',
      volume: quantityFromLots(1),
    } as const
    lab.process({ ...bar, ...prices, at: end })
    lab.wait(1_000)
    lab.quote({})
    expect(script.closes).toEqual([5_000_000, 5])
  })

  test('without the data engine or the message bus nothing is delivered, nor to a stopped strategy', () => {
    for (const component of ['DataEngine', 'MessageBus'] as const) {
      lab.run({ type: 'StopComponent', component })
      second(50_000)
      second(50_000)
      lab.run({ type: 'StartComponent', component })
    }
    expect(script.closes).toEqual([])
    lab.run({ type: 'StopStrategy', strategy: id })
    second(50_000)
    second(50_000)
    expect(script.closes).toEqual([])
  })

  test('a strategy that wants nothing leaves no entry', () => {
    const entries = lab.entries.length
    for (let count = 0; count < 50; count++) second(50_000)
    expect(script.closes).toHaveLength(49)
    expect(lab.entries).toHaveLength(entries)
  })
})

describe('wanting', () => {
  test('a target is reached by a market order under the strategy, in the entry of the tick', () => {
    script.onBar = (_bar, context) => context.target(0, 1_000)
    second(50_000)
    const events = lab.watch(() => lab.quote({}))
    expect(events[0]).toMatchObject({
      type: 'OrderSubmitted',
      terms: { strategy: 'S-1', side: 'BUY', type: 'MARKET', quantity: 1_000 },
    })
    expect(held()).toBe(1_000)
    second(50_000)
    second(50_000)
    expect(held()).toBe(1_000)
    script.onBar = (_bar, context) => context.target(0, 500)
    second(50_000)
    lab.quote({})
    expect(held()).toBe(500)
  })

  test('its own orders are shown to it and can be taken back', () => {
    script.onQuote = (context) => {
      if (context.orders().length === 0) context.place(0, 'BUY', 100, { price: 4_900_000 })
    }
    lab.quote({})
    const [order] = [...lab.state.orders.working.values()]
    expect(order).toMatchObject({ state: 'WORKING', terms: { strategy: 'S-1', type: 'LIMIT' } })
    script.onQuote = (context) => {
      for (const own of context.orders()) context.cancel(own.id)
    }
    lab.quote({})
    lab.quote({})
    expect(order).toMatchObject({ state: 'CANCELLED', reason: { code: 'cancel.strategy', strategy: 'S-1' } })
  })

  test('what risk denies is denied to a strategy too, and it does not ask again at once', () => {
    script.onQuote = (context) => context.place(0, 'BUY', 1_000_000, { price: null })
    const denied = () => lab.events.filter(({ type }) => type === 'OrderDenied').length
    lab.quote({})
    expect(denied()).toBe(1)
    for (let count = 0; count < 29; count++) second(50_000)
    expect(denied()).toBe(1)
    second(50_000)
    second(50_000)
    expect(denied()).toBe(2)
    for (let count = 0; count < 57; count++) second(50_000)
    expect(denied()).toBe(2)
  })

  test('[STRAT-200] a denied order that reduces does not lengthen the wait of those that add', () => {
    script.onQuote = (context) => context.target(0, 100)
    lab.quote({})
    lab.run({ type: 'StopComponent', component: 'ExecutionEngine' })
    const denied = () => lab.events.filter(({ type }) => type === 'OrderDenied').length
    script.onQuote = (context) => context.target(0, 0)
    lab.quote({})
    script.onQuote = (context) => context.target(0, 200)
    lab.quote({})
    expect(denied()).toBe(2)
    lab.wait(30_000)
    lab.quote({})
    expect(denied()).toBe(3)
  })

  test('a halted desk denies all its orders', () => {
    lab.run({ type: 'ChangeTradingState', to: 'HALTED' })
    script.onBar = (_bar, context) => context.target(0, 1_000)
    for (let count = 0; count < 5; count++) second(50_000)
    expect(held()).toBe(0)
    expect(lab.events.filter(({ type }) => type === 'OrderSubmitted')).toEqual([])
  })
})

describe('failing', () => {
  test('[STRAT-17] [STRAT-27] one that throws is stopped with its reason, its orders are taken back, others go on', () => {
    const other = lab.runStrategy('scripted')
    script.onQuote = (context) => {
      if (context.strategy === id && context.orders().length === 0)
        context.place(0, 'BUY', 100, { price: 4_900_000 })
    }
    lab.quote({})
    script.onBar = (_bar, context) => {
      if (context.strategy === id) throw new Error('no more')
    }
    second(50_000)
    lab.quote({})
    lab.quote({})
    expect(record()).toMatchObject({ status: 'error', reason: 'no more' })
    expect(lab.state.orders.working.size).toBe(0)
    expect(lab.state.strategies.all.get(other)?.status).toBe('running')
    const before = script.closes.length
    second(50_000)
    lab.quote({})
    expect(script.closes).toHaveLength(before + 1)
  })

  test('[CALL-58] the reason of a failure stays through a stop and goes with the next start', () => {
    lab.run({ type: 'FailStrategy', strategy: id, reason: 'lost its thread' })
    expect(record()).toMatchObject({ status: 'error', reason: 'lost its thread' })
    lab.run({ type: 'StopStrategy', strategy: id })
    expect(record()).toMatchObject({ status: 'stopped', reason: 'lost its thread' })
    lab.run({ type: 'StartStrategy', strategy: id })
    expect(record()).toMatchObject({ status: 'running', reason: null })
    lab.run({ type: 'StopStrategy', strategy: id })
    expect(record()).toMatchObject({ status: 'stopped', reason: null })
  })

  test.each([
    ['no lots', 0, null],
    ['half a lot', 100.5, null],
    ['a price between ticks', 100, 0.5],
    ['not a number', Number.NaN, null],
  ])('an order for %s is invalid and stops it', (_what, lots, at) => {
    script.onQuote = (context) => context.place(0, 'BUY', lots, { price: at })
    lab.quote({})
    expect(record()).toMatchObject({ status: 'error', reason: expect.stringContaining('invalid order') })
    expect(lab.state.orders.nextNumber).toBe(1)
  })
})

describe('stopping and removing', () => {
  test('[STRAT-16] stopping takes back its working orders and leaves what it holds', () => {
    script.onQuote = (context) => {
      if (context.position(0) === 0 && context.working(0) === 0) context.target(0, 1_000)
      else if (context.orders().length === 0) context.place(0, 'BUY', 100, { price: 4_900_000 })
    }
    for (let count = 0; count < 3; count++) lab.quote({})
    expect(lab.state.orders.working.size).toBe(1)
    lab.run({ type: 'StopStrategy', strategy: id })
    lab.quote({})
    expect(lab.state.orders.working.size).toBe(0)
    expect(held()).toBe(1_000)
  })

  test('[STRAT-16] [STRAT-25] one that holds something cannot be removed, and the refusal says what and the way out', () => {
    script.onBar = (_bar, context) => context.target(0, 1_000)
    second(50_000)
    lab.quote({})
    const answer = lab.run({ type: 'RemoveStrategy', strategy: id })
    expect(!answer.ok && describeReason(answer.reason)).toBe(
      'Strategy "scripted" (S-1) holds long 0.01 BTCUSDT (P-1). Stop it, then close what it holds on the Positions screen, and try again.',
    )
    expect(record()?.status).toBe('running')
    lab.run({ type: 'StopStrategy', strategy: id })
    lab.run({ type: 'ClosePosition', positionId: idFrom<PositionId>('P-1') })
    lab.quote({})
    expect(lab.run({ type: 'RemoveStrategy', strategy: id })).toMatchObject({ ok: true })
    expect(record()).toBeUndefined()
    expect(lab.state.positions.results.get(id)).toMatchObject({ fills: 2, closed: 1 })
  })

  test('one with working orders is removed when they are gone, and a running one is stopped by it', () => {
    script.onQuote = (context) => {
      if (context.orders().length === 0) context.place(0, 'BUY', 100, { price: 4_900_000 })
    }
    lab.quote({})
    expect(lab.run({ type: 'RemoveStrategy', strategy: id })).toEqual({
      ok: false,
      reason: { code: 'strategy.orders-working', strategy: 'S-1', name: 'scripted', orders: 1 },
    })
    lab.run({ type: 'StopStrategy', strategy: id })
    lab.quote({})
    expect(lab.run({ type: 'RemoveStrategy', strategy: id })).toMatchObject({ ok: true })
    expect(lab.run({ type: 'StartStrategy', strategy: id })).toMatchObject({
      ok: false,
      reason: { code: 'strategy.unknown' },
    })
  })

  test('starting what runs and stopping what is stopped change nothing', () => {
    expect(lab.watch(() => lab.run({ type: 'StartStrategy', strategy: id }))).toEqual([])
    lab.run({ type: 'StopStrategy', strategy: id })
    expect(lab.watch(() => lab.run({ type: 'StopStrategy', strategy: id }))).toEqual([])
  })
})

test('what a strategy outside the engine wants comes as a command, and nonsense ends it', () => {
  lab.run({ type: 'SubmitIntents', strategy: id, intents: [{ type: 'target', slot: 0, lots: 700 }] })
  lab.quote({})
  expect(held()).toBe(700)
  lab.run({ type: 'SubmitIntents', strategy: id, intents: [{ type: 'target', slot: 4, lots: 700 }] })
  expect(record()).toMatchObject({ status: 'error', reason: 'there is no slot 4' })
  expect(lab.run({ type: 'SubmitIntents', strategy: id, intents: [] })).toMatchObject({
    ok: false,
    reason: { code: 'strategy.not-running' },
  })
})
