import { beforeEach, describe, expect, test } from 'vitest'
import { idFrom, type OrderId } from '#values/ids.ts'
import { priceFromTicks } from '#values/price.ts'
import { quantityFromLots } from '#values/quantity.ts'
import { depthOf } from './depth.ts'
import { createOrderBook, type OrderBook } from './order-book.ts'

const ours = idFrom<OrderId>('O-1')
const also = idFrom<OrderId>('O-2')
const level = (ticks: number, lots: number) => ({
  price: priceFromTicks(ticks),
  size: quantityFromLots(lots),
})
const taker = (side: 'BUY' | 'SELL', lots: number, limit: number | null = null, skipsOwn = false) => ({
  side,
  quantity: lots,
  limit: limit === null ? null : priceFromTicks(limit),
  skipsOwn,
})

let book: OrderBook
beforeEach(() => {
  book = createOrderBook()
  book.setDepth('SELL', [level(101, 5), level(102, 10)])
  book.setDepth('BUY', [level(100, 5), level(99, 10)])
})

describe('price-time priority', () => {
  test('the best price is matched first, then the next', () => {
    expect(book.take(taker('BUY', 8))).toEqual([
      { owner: null, price: 101, quantity: 5 },
      { owner: null, price: 102, quantity: 3 },
    ])
    expect(book.levels('SELL')).toEqual([level(102, 7)])
  })

  test('at one price the oldest is matched first', () => {
    book.add(ours, 'BUY', priceFromTicks(100), quantityFromLots(4))
    book.add(also, 'BUY', priceFromTicks(100), quantityFromLots(4))
    expect(book.take(taker('SELL', 10, 100))).toEqual([
      { owner: null, price: 100, quantity: 5 },
      { owner: ours, price: 100, quantity: 4 },
      { owner: also, price: 100, quantity: 1 },
    ])
  })

  test('a better price goes before an older order', () => {
    book.add(ours, 'SELL', priceFromTicks(102), quantityFromLots(1))
    book.add(also, 'SELL', priceFromTicks(100), quantityFromLots(1))
    expect(book.take(taker('BUY', 1))).toEqual([{ owner: also, price: 100, quantity: 1 }])
  })

  test('a limit is never passed', () => {
    expect(book.take(taker('BUY', 100, 101))).toEqual([{ owner: null, price: 101, quantity: 5 }])
    expect(book.take(taker('SELL', 100, 101))).toEqual([])
  })

  test('what is left of an empty book is nothing', () => {
    book.take(taker('BUY', 1_000))
    expect(book.levels('SELL')).toEqual([])
    expect(book.take(taker('BUY', 1))).toEqual([])
  })
})

describe('our own orders', () => {
  test('they do not trade with one another', () => {
    book.add(ours, 'SELL', priceFromTicks(101), quantityFromLots(3))
    expect(book.take(taker('BUY', 8, 101, true))).toEqual([{ owner: null, price: 101, quantity: 5 }])
    expect(book.levels('SELL')[0]).toEqual(level(101, 3))
  })

  test('what could be taken is counted without taker it', () => {
    book.add(ours, 'SELL', priceFromTicks(101), quantityFromLots(3))
    expect(book.peek(taker('BUY', 100, 102, true)).map((match) => match.quantity)).toEqual([5, 10])
    expect(book.peek(taker('BUY', 100, 101, true)).map((match) => match.quantity)).toEqual([5])
    expect(book.levels('SELL')).toEqual([level(101, 8), level(102, 10)])
  })

  test('a removed order is gone, a reduced one keeps its queue position', () => {
    book.add(ours, 'BUY', priceFromTicks(100), quantityFromLots(4))
    book.add(also, 'BUY', priceFromTicks(100), quantityFromLots(4))
    book.reduce(ours, quantityFromLots(2))
    expect(book.take(taker('SELL', 8, 100))).toEqual([
      { owner: null, price: 100, quantity: 5 },
      { owner: ours, price: 100, quantity: 2 },
      { owner: also, price: 100, quantity: 1 },
    ])
    book.remove(also, 'BUY', true)
    expect(book.levels('BUY')).toEqual([level(99, 10)])
  })

  test('a removed order takes the depth of its price along, unless it is kept or another of ours waits there', () => {
    for (const order of [ours, also]) book.add(order, 'BUY', priceFromTicks(99), quantityFromLots(4))
    book.remove(ours, 'BUY', false)
    expect(book.levels('BUY')).toEqual([level(100, 5), level(99, 14)])
    book.remove(also, 'BUY', false)
    expect(book.levels('BUY')).toEqual([level(100, 5)])
    book.add(ours, 'BUY', priceFromTicks(100), quantityFromLots(4))
    book.remove(ours, 'BUY', true)
    expect(book.levels('BUY')).toEqual([level(100, 5)])
  })
})

describe('the depth', () => {
  test('newcomers queue behind us', () => {
    book.add(ours, 'BUY', priceFromTicks(100), quantityFromLots(4))
    book.setDepth('BUY', [level(100, 9)])
    expect(book.take(taker('SELL', 10, 100)).map(({ owner, quantity: lots }) => [owner, lots])).toEqual([
      [null, 5],
      [ours, 4],
      [null, 1],
    ])
  })

  test('those behind us leave before those ahead of us', () => {
    book.add(ours, 'BUY', priceFromTicks(100), quantityFromLots(4))
    book.setDepth('BUY', [level(100, 9)])
    book.setDepth('BUY', [level(100, 3)])
    expect(book.take(taker('SELL', 10, 100)).map(({ owner, quantity: lots }) => [owner, lots])).toEqual([
      [null, 3],
      [ours, 4],
    ])
  })

  test('depth that moves away leaves our order alone at its price', () => {
    book.add(ours, 'BUY', priceFromTicks(100), quantityFromLots(4))
    book.setDepth('BUY', [level(98, 5)])
    expect(book.levels('BUY')).toEqual([level(100, 4), level(98, 5)])
  })
})

describe('the depth of a quote at the prices of the book', () => {
  const top = {
    bid: priceFromTicks(100),
    ask: priceFromTicks(101),
    bidSize: quantityFromLots(8),
    askSize: quantityFromLots(3),
  }

  test('it is replaced once for all orders that rest at a price', () => {
    for (const order of [ours, also]) book.add(order, 'BUY', priceFromTicks(100), quantityFromLots(4))
    book.resizeDepths(top)
    expect(book.take(taker('SELL', 100, 100)).map(({ owner, quantity: lots }) => [owner, lots])).toEqual([
      [null, 5],
      [ours, 4],
      [also, 4],
      [null, 3],
    ])
  })

  test('what was taken of it is counted', () => {
    book.add(ours, 'SELL', priceFromTicks(101), quantityFromLots(4))
    book.take(taker('BUY', 4, 101))
    book.resizeDepths(top)
    expect(book.levels('SELL')[0]).toEqual(level(101, 7))
  })

  test('a price where the quote has none keeps our orders alone, and is gone without any', () => {
    book.add(ours, 'BUY', priceFromTicks(99), quantityFromLots(4))
    book.resizeDepths({ ...top, bid: priceFromTicks(50), ask: priceFromTicks(200) })
    expect(book.levels('BUY')).toEqual([level(99, 4)])
    expect(book.levels('SELL')).toEqual([])
  })
})

describe('depth behind a quote', () => {
  const top = {
    bid: priceFromTicks(1_000),
    ask: priceFromTicks(1_010),
    bidSize: quantityFromLots(7),
    askSize: quantityFromLots(9),
  }

  test('it begins at the quote and moves away from it', () => {
    const bids = depthOf(top, 'BUY')
    const asks = depthOf(top, 'SELL')
    expect(bids[0]).toEqual(level(1_000, 7))
    expect(asks[0]).toEqual(level(1_010, 9))
    expect(bids.map(({ price: at }) => at)).toEqual([1000, 995, 990, 985, 980, 975, 970, 965, 960, 955])
    expect(depthOf(top, 'BUY')).toEqual(bids)
  })

  test('it ends above zero', () => {
    expect(
      depthOf({ ...top, bid: priceFromTicks(2), ask: priceFromTicks(3) }, 'BUY').map((bid) => bid.price),
    ).toEqual([2, 1])
  })
})
