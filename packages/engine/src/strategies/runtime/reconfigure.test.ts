import { beforeEach, describe, expect, test } from 'vitest'
import { describeReason } from '#model/describe.ts'
import { createLab } from '#testkit/lab.ts'
import { createScriptedLab } from '#testkit/scripted-strategy.ts'
import { type InstrumentId, idFrom } from '#values/ids.ts'
import { instantFromMs, MS_PER_DAY } from '#values/instant.ts'
import { priceFromTicks } from '#values/price.ts'
import { quantityFromLots } from '#values/quantity.ts'

const BTC = idFrom<InstrumentId>('BTCUSDT')

let { script, lab, id, second } = createScriptedLab()
beforeEach(() => {
  ;({ script, lab, id, second } = createScriptedLab())
})

describe('other settings', () => {
  test('[STRAT-19] [STRAT-29] they are checked, recorded with what was before, and take effect at the next bar', () => {
    second(50_000)
    const events = lab.watch(() =>
      lab.run({ type: 'ReconfigureStrategy', strategy: id, config: { size: 2_000 } }),
    )
    expect(events).toEqual([
      {
        type: 'StrategyReconfigured',
        strategy: 'S-1',
        config: '{"size":2000,"instrument":"BTCUSDT"}',
        before: '{"size":1000,"instrument":"BTCUSDT"}',
      },
    ])
    expect(lab.run({ type: 'ReconfigureStrategy', strategy: id, config: { size: 0 } })).toEqual({
      ok: false,
      reason: {
        code: 'setting.invalid',
        parameter: 'size',
        label: 'Size',
        given: '0',
        requirement: 'must be a whole number from 1 to 1000000',
      },
    })
  })

  test('[STRAT-44] orders placed under the old settings are cancelled with the reason', () => {
    script.onBar = (_bar, context) => {
      if (context.orders().length === 0) context.place(0, 'BUY', 1_000, { price: 4_900_000 })
    }
    second(50_000)
    lab.quote({})
    const [order] = [...lab.state.orders.working.values()]
    lab.run({ type: 'ReconfigureStrategy', strategy: id, config: { size: 2_000 } })
    second(50_000)
    lab.quote({})
    expect(order).toMatchObject({
      state: 'CANCELLED',
      reason: { code: 'cancel.strategy-reconfigured', strategy: 'S-1' },
    })
    expect(order?.reason && describeReason(order.reason)).toBe(
      'Cancelled because the settings of strategy S-1 were changed.',
    )
  })

  test('[CUST-400] what was given for its earlier instruments reaches none of the new ones', () => {
    const ETH = idFrom<InstrumentId>('ETHUSDT')
    second(50_000)
    lab.run({ type: 'ReconfigureStrategy', strategy: id, config: { instrument: 'ETHUSDT' } })
    second(50_000)
    lab.quote({ instrument: 'ETHUSDT', bid: 3_000, ask: 3_001 })
    const submit = (instruments: InstrumentId[], slot = 0) =>
      lab.watch(() =>
        lab.run({
          type: 'SubmitIntents',
          strategy: id,
          intents: [{ type: 'target', slot, lots: 1_000 }],
          instruments,
        }),
      )
    expect(submit([BTC])).toEqual([])
    expect(submit([ETH, BTC], 1)).toEqual([])
    expect(submit([ETH])[0]).toMatchObject({ type: 'OrderSubmitted', terms: { instrument: 'ETHUSDT' } })
  })

  test('an instrument in which it holds something cannot be taken from it', () => {
    script.onBar = (_bar, context) => context.target(0, 1_000)
    second(50_000)
    lab.quote({})
    const config = { instrument: 'ETHUSDT' }
    expect(lab.run({ type: 'ReconfigureStrategy', strategy: id, config })).toMatchObject({
      ok: false,
      reason: { code: 'strategy.holds', held: 'long 0.01 BTCUSDT (P-1)' },
    })
  })

  test('the new one is warmed up with the bars of the old one', () => {
    for (let count = 0; count < 4; count++) second(50_000 + count)
    lab.run({ type: 'ReconfigureStrategy', strategy: id, config: { size: 2 } })
    const lives: boolean[] = []
    script.onBar = (_bar, context) => lives.push(context.isLive)
    second(50_004)
    second(50_005)
    expect(lives).toEqual([false, false, false, false, true])
  })
})

describe('after a restart', () => {
  test('[STRAT-18] what ran runs again, is warmed up with the past and trades on nothing of it', () => {
    script.onBar = (_bar, context) => context.target(0, 1_000)
    const again = createLab({ kinds: [script.kind], state: lab.state, at: lab.now })
    expect(again.engine.computeLiveFigures().strategies).toMatchObject([
      { strategy: 'S-1', received: 0, needed: 3 },
    ])
    const column = (...values: number[]) => Float64Array.from(values)
    const prices = { open: column(1, 2), high: column(1, 2), low: column(1, 2), close: column(1, 2) }
    const start = column(lab.now - 2_000, lab.now - 1_000)
    const bars = {
      instrument: BTC,
      interval: '1s',
      length: 2,
      start,
      ...prices,
      volume: column(1, 1),
    } as const
    expect(again.watch(() => again.engine.warmUp(bars))).toEqual([])
    again.engine.warmUp(bars)
    expect(script.closes).toEqual([1, 2])
    expect(again.engine.computeLiveFigures().strategies).toMatchObject([
      { strategy: 'S-1', received: 2, needed: 3 },
    ])
    expect(again.state.orders.nextNumber).toBe(1)
  })

  test('a recorded bar that comes as a tick is learnt from and not traded on', () => {
    script.onBar = (_bar, context) => context.target(0, 1_000)
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
    lab.process({ ...bar, ...prices, at: instantFromMs(lab.now - MS_PER_DAY) })
    expect(script.closes).toEqual([5])
    expect(lab.state.orders.nextNumber).toBe(1)
  })

  test('what can no longer be made is marked with the reason', () => {
    const again = createLab({ kinds: [], state: lab.state, at: lab.now })
    again.wait(20)
    expect(again.state.strategies.all.get(id)).toMatchObject({
      status: 'error',
      reason: "Unknown strategy type 'scripted'. Available: .",
    })
  })
})
