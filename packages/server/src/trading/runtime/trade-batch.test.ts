import {
  createRandom,
  createSimulatedMarket,
  instantFromMs,
  type MarketTick,
  standardInstruments,
} from '@binnacle/engine'
import { expect, test } from 'vitest'
import { TradeBatch, unpackTrades } from './trade-batch.ts'

test('the trades of a step cross the threads unchanged, and only once', () => {
  const instruments = standardInstruments()
  const market = createSimulatedMarket({ instruments, random: createRandom(7), at: instantFromMs(0) })
  const batch = new TradeBatch(instruments)
  const ticks: MarketTick[] = []
  for (let at = 100; at <= 3_000; at += 100) {
    market.advance(instantFromMs(at), (tick) => {
      ticks.push(tick)
      batch.add(tick)
    })
  }
  const trades = ticks.filter(({ type }) => type === 'trade')
  expect(trades.length).toBeGreaterThan(20)
  expect(unpackTrades(structuredClone(batch.drain()), instruments)).toEqual(trades)
  expect(batch.drain()).toHaveLength(0)
})
