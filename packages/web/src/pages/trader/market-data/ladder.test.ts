import { expect, test } from 'vitest'
import { ladderOf, STEP_FACTORS, stepOf } from './ladder.ts'

const level = (price: number, quantity: number) => ({ price, quantity })

test('[MKT-34] quantities within a step stand at its price that is worse for a taker', () => {
  const book = {
    bids: [level(100.4, 1), level(100.1, 2), level(99.9, 4)],
    asks: [level(100.6, 3), level(101, 5), level(101.2, 7)],
  }
  const ladder = ladderOf(book, 0.5, 10)
  expect(ladder.bids).toEqual([level(100, 3), level(99.5, 4)])
  expect(ladder.asks).toEqual([level(101, 8), level(101.5, 7)])
  expect(ladder.largest).toBe(8)
  expect(ladderOf(book, 0.5, 1)).toMatchObject({ bids: [level(100, 3)], asks: [level(101, 8)] })
})

test('[MKT-34] a price that is a multiple of a decimal step stays where it is', () => {
  const prices = [0.07, 0.14, 0.21, 1.1, 59_988.07]
  const asks = ladderOf({ bids: [], asks: prices.map((price) => level(price, 1)) }, 0.01, 10).asks
  expect(asks.map(({ price }) => price)).toEqual(prices)
  expect(STEP_FACTORS.map((factor) => stepOf(0.01, factor))).toEqual([0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1])
})
