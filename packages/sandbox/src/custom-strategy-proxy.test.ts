import {
  buildStrategy,
  idFrom,
  type OwnOrder,
  type Strategy,
  type StrategyContext,
  standardInstruments,
} from '@binnacle/engine'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import { createCustomKind } from './custom-kind.ts'
import type { CustomStrategyProxy } from './custom-strategy-proxy.ts'

const BAR = { slot: 0, start: 60_000, open: 1, high: 4, low: 1, close: 3, volume: 9 }

function createProxy(config: object = {}): { strategy: Strategy; proxy: () => CustomStrategyProxy } {
  const updated: CustomStrategyProxy[] = []
  const kind = createCustomKind(temporaryFolder({ 'mine.ts': '' }), (proxy) => updated.push(proxy))
  const given = { module: 'mine.ts', instruments: ['BTCUSDT', 'BTCUSDT.BYBIT'], interval: '1m', ...config }
  const built = buildStrategy([kind], 'custom', given, standardInstruments())
  if (!built.ok) throw new Error(JSON.stringify(built.reason))
  const proxy = () => {
    const last = updated.at(-1)
    if (last === undefined) throw new Error('there was no update')
    return last
  }
  return { strategy: built.value.strategy, proxy }
}

function aDesk(given: Partial<StrategyContext> = {}): StrategyContext {
  const nothing = () => {
    throw new Error('a custom strategy wants nothing inside the engine')
  }
  return {
    strategy: idFrom('S-1'),
    now: 120_000,
    isLive: true,
    bid: (slot) => 100 + slot,
    ask: (slot) => 200 + slot,
    quotedAt: () => 0,
    position: (slot) => slot,
    working: () => 0,
    orders: () => [],
    lotsFor: nothing,
    place: nothing,
    cancel: nothing,
    target: nothing,
    ...given,
  }
}

function anOrder(instrument: string): OwnOrder {
  const terms = { instrument: idFrom<OwnOrder['terms']['instrument']>(instrument), side: 'SELL' } as const
  const rest = { price: 7, quantity: 5, filled: 2, isCancelRequested: false }
  return { id: idFrom(`O-${instrument}`), terms, ...rest }
}

test('[CUST-1] an update shows the desk as it is when the update is taken', () => {
  const { strategy, proxy } = createProxy({ warm_up_bars: 0 })
  let held = 1
  const desk = aDesk({ position: () => held })
  strategy.onBar?.(BAR, desk)
  strategy.onQuote?.(1, desk)
  strategy.onQuote?.(1, desk)
  held = 2
  expect(proxy().take()).toEqual([
    {
      now: 120_000,
      isLive: true,
      bars: [BAR],
      quotedSlots: [1],
      desk: { bids: [100, 101], asks: [200, 201], positions: [2, 2], orders: [] },
    },
  ])
  expect(proxy().take()).toEqual([])
})

test('[CUST-3] until the warm-up is complete every update is a warm-up update', () => {
  const { strategy, proxy } = createProxy({ warm_up_bars: 3 })
  strategy.onBar?.(BAR, aDesk({ isLive: false }))
  strategy.onBar?.(BAR, aDesk())
  strategy.onQuote?.(0, aDesk())
  expect(proxy().take()).toMatchObject([{ isLive: false, bars: [BAR, BAR], quotedSlots: [] }])
  strategy.onBar?.(BAR, aDesk())
  expect(proxy().take()).toMatchObject([{ isLive: true, bars: [BAR] }])
})

test('[CUST-7] an order of an instrument that is no longer traded is left out', () => {
  const { strategy, proxy } = createProxy({ warm_up_bars: 0 })
  const orders = [anOrder('ETHUSDT'), anOrder('BTCUSDT.BYBIT')]
  strategy.onQuote?.(0, aDesk({ orders: () => orders }))
  const expected = { id: 'O-BTCUSDT.BYBIT', slot: 1, side: 'SELL', price: 7, quantity: 5, filled: 2 }
  expect(proxy().take()[0]?.desk.orders).toEqual([expected])
})
