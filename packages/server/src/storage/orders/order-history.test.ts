import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { idFrom, type OrderId, type OrderTerms, type OrderView, seqFrom } from '@binnacle/engine'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { openOrderHistory, openOrderHistoryReader } from './order-history.ts'

const newFile = () => join(temporaryFolder(), 'orders.sqlite')

function opened(file = newFile()) {
  const history = openOrderHistory(file)
  onTestFinished(() => history.close())
  return history
}

/** Only the fields that the table uses, and a price to distinguish two versions of an order. */
function anOrder(number: number, status: OrderView['status'] = 'FILLED', price = 1): OrderView {
  const shared = { instrument: 'BTCUSDT', strategy: 'MANUAL' }
  return { id: idFrom<OrderId>(`O-${number}`), number, ...shared, status, price } as unknown as OrderView
}

const numbers = (orders: readonly OrderView[]) => orders.map(({ number }) => number)

test('a page is newest first, below a number, with a status, up to the limit', () => {
  const history = opened()
  history.add(
    { orders: [1, 2, 3, 4, 5, 6].map((n) => anOrder(n, n % 2 ? 'FILLED' : 'CANCELLED')) },
    { seq: 9, chain: 7 },
  )
  expect(numbers(history.page({ before: 100, limit: 3 }))).toEqual([6, 5, 4])
  expect(numbers(history.page({ before: 4, limit: 3 }))).toEqual([3, 2, 1])
  expect(numbers(history.page({ before: 6, status: 'CANCELLED', limit: 3 }))).toEqual([4, 2])
  expect(numbers(history.page({ before: 6, status: 'REJECTED', limit: 3 }))).toEqual([])
})

test('an order is found by its id; an invalid id finds none', () => {
  const history = opened()
  history.add({ orders: [anOrder(12)] }, { seq: 1, chain: 1 })
  expect(history.find(idFrom('O-12'))).toMatchObject({ id: 'O-12' })
  for (const id of ['O-13', 'P-12', '12', 'O-12x']) expect(history.find(idFrom(id))).toBeNull()
})

test('orders and the position are there after reopening, each order once', () => {
  const file = newFile()
  const history = openOrderHistory(file)
  history.add({ orders: [anOrder(1)] }, { seq: 3, chain: 33 })
  history.add({ orders: [anOrder(1, 'FILLED', 2)] }, { seq: 4, chain: 44 }, true)
  history.close()
  const again = opened(file)
  expect(again.position()).toEqual({ seq: 4, chain: 44 })
  expect(again.page({ before: 9, limit: 9 })).toEqual([anOrder(1, 'FILLED', 2)])
  again.clear()
  expect(again.position()).toEqual({ seq: 0, chain: 0 })
  expect(again.page({ before: 9, limit: 9 })).toEqual([])
})

test('a separate reader sees added orders', () => {
  const file = newFile()
  const history = opened(file)
  const reader = openOrderHistoryReader(file)
  onTestFinished(() => reader.close())
  history.add({ orders: [anOrder(5)] }, { seq: 1, chain: 1 })
  expect(numbers(reader.page({ before: 9, limit: 9 }))).toEqual([5])
})

test('[ORD-36] the order of a key is found after reopening, with its terms', () => {
  const file = newFile()
  const history = openOrderHistory(file)
  const keyed = {
    orderId: idFrom<OrderId>('O-7'),
    seq: seqFrom(9),
    terms: { key: 'k-7', quantity: 5 } as OrderTerms,
  }
  history.add({ keyed: [keyed] }, { seq: 9, chain: 1 })
  history.close()
  const again = opened(file)
  expect(again.findKey(idFrom('k-7'))).toEqual(keyed)
  expect(again.findKey(idFrom('k-8'))).toBeNull()
  again.clear()
  expect(again.findKey(idFrom('k-7'))).toBeNull()
})

test('[ENGINE-303] a file that is not a database is moved aside and replaced by an empty one', () => {
  const file = newFile()
  const text = 'not a database, but long enough to be looked at as one'.repeat(100)
  writeFileSync(file, text)
  const messages: string[] = []
  const history = openOrderHistory(file, (message) => messages.push(message))
  onTestFinished(() => history.close())
  expect(history.position()).toEqual({ seq: 0, chain: 0 })
  expect(readFileSync(`${file}.damaged`, 'utf8')).toBe(text)
  expect(messages).toEqual([
    `${file} was damaged. It was moved to ${file}.damaged and is filled from the journal.`,
  ])
})

test('[ENGINE-303] a file that cannot be opened for another reason stays as it is', () => {
  const file = newFile()
  const history = openOrderHistory(file)
  history.add({ orders: [anOrder(1)] }, { seq: 3, chain: 33 }, true)
  history.close()
  mkdirSync(`${file}-wal`)
  expect(() => openOrderHistory(file)).toThrow('unable to open database file')
  rmdirSync(`${file}-wal`)
  expect(opened(file).position()).toEqual({ seq: 3, chain: 33 })
})
