import {
  buildStrategy,
  idFrom,
  type OwnOrder,
  type Strategy,
  type StrategyDesk,
  standardInstruments,
} from '@binnacle/engine'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import { createCustomKind } from './custom-kind.ts'
import type { Hearing } from './hearing.ts'

const BAR = { slot: 0, start: 60_000, open: 1, high: 4, low: 1, close: 3, volume: 9 }

function aHearing(config: object = {}): { strategy: Strategy; hearing: () => Hearing } {
  const heard: Hearing[] = []
  const kind = createCustomKind(temporaryFolder({ 'mine.ts': '' }), (hearing) => heard.push(hearing))
  const given = { module: 'mine.ts', instruments: ['BTCUSDT', 'BTCUSDT.BYBIT'], interval: '1m', ...config }
  const built = buildStrategy([kind], 'custom', given, standardInstruments())
  if (!built.ok) throw new Error(JSON.stringify(built.reason))
  const hearing = () => {
    const last = heard.at(-1)
    if (last === undefined) throw new Error('nothing was heard')
    return last
  }
  return { strategy: built.value.strategy, hearing }
}

function aDesk(given: Partial<StrategyDesk> = {}): StrategyDesk {
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

test('[CUST-1] what was heard is told with the desk as it is when it is taken', () => {
  const { strategy, hearing } = aHearing({ warm_up_bars: 0 })
  let held = 1
  const desk = aDesk({ position: () => held })
  strategy.onBar?.(BAR, desk)
  strategy.onQuote?.(1, desk)
  strategy.onQuote?.(1, desk)
  held = 2
  expect(hearing().take()).toEqual([
    {
      now: 120_000,
      isLive: true,
      bars: [BAR],
      quoted: [1],
      desk: { bids: [100, 101], asks: [200, 201], positions: [2, 2], orders: [] },
    },
  ])
  expect(hearing().take()).toEqual([])
})

test('[CUST-3] until it has heard enough bars everything is told as the past', () => {
  const { strategy, hearing } = aHearing({ warm_up_bars: 3 })
  strategy.onBar?.(BAR, aDesk({ isLive: false }))
  strategy.onBar?.(BAR, aDesk())
  strategy.onQuote?.(0, aDesk())
  expect(hearing().take()).toMatchObject([{ isLive: false, bars: [BAR, BAR], quoted: [] }])
  strategy.onBar?.(BAR, aDesk())
  expect(hearing().take()).toMatchObject([{ isLive: true, bars: [BAR] }])
})

test('[CUST-7] an order of an instrument that is no longer traded is not told', () => {
  const { strategy, hearing } = aHearing({ warm_up_bars: 0 })
  const orders = [anOrder('ETHUSDT'), anOrder('BTCUSDT.BYBIT')]
  strategy.onQuote?.(0, aDesk({ orders: () => orders }))
  const told = { id: 'O-BTCUSDT.BYBIT', slot: 1, side: 'SELL', price: 7, quantity: 5, filled: 2 }
  expect(hearing().take()[0]?.desk.orders).toEqual([told])
})
