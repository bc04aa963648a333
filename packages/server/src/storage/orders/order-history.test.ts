import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { idFrom, type OrderId, type OrderView } from '@binnacle/engine'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import { openOrderHistory, openPastOrders } from './order-history.ts'

const newFile = () => join(temporaryFolder(), 'orders.sqlite')

function opened(file = newFile()) {
  const history = openOrderHistory(file)
  onTestFinished(() => history.close())
  return history
}

/** Only what the table looks at, and a price to tell two versions of an order apart. */
function anOrder(number: number, status: OrderView['status'] = 'FILLED', price = 1): OrderView {
  return { id: idFrom<OrderId>(`O-${number}`), number, status, price } as OrderView
}

const numbers = (orders: readonly OrderView[]) => orders.map(({ number }) => number)

test('orders come newest first, before a number, of a status, as many as asked', () => {
  const history = opened()
  history.add(
    [1, 2, 3, 4, 5, 6].map((n) => anOrder(n, n % 2 ? 'FILLED' : 'CANCELLED')),
    { seq: 9, chain: 7 },
  )
  expect(numbers(history.page({ before: 100, limit: 3 }))).toEqual([6, 5, 4])
  expect(numbers(history.page({ before: 4, limit: 3 }))).toEqual([3, 2, 1])
  expect(numbers(history.page({ before: 6, status: 'CANCELLED', limit: 3 }))).toEqual([4, 2])
  expect(numbers(history.page({ before: 6, status: 'REJECTED', limit: 3 }))).toEqual([])
})

test('one order is found by its id, and what is no id finds none', () => {
  const history = opened()
  history.add([anOrder(12)], { seq: 1, chain: 1 })
  expect(history.find(idFrom('O-12'))).toMatchObject({ id: 'O-12' })
  for (const id of ['O-13', 'P-12', '12', 'O-12x']) expect(history.find(idFrom(id))).toBeNull()
})

test('orders and the mark are there after the file is opened again, an order once', () => {
  const file = newFile()
  const history = openOrderHistory(file)
  history.add([anOrder(1)], { seq: 3, chain: 33 })
  history.add([anOrder(1, 'FILLED', 2)], { seq: 4, chain: 44 }, true)
  history.close()
  const again = opened(file)
  expect(again.mark()).toEqual({ seq: 4, chain: 44 })
  expect(again.page({ before: 9, limit: 9 })).toEqual([anOrder(1, 'FILLED', 2)])
  again.clear()
  expect(again.mark()).toEqual({ seq: 0, chain: 0 })
  expect(again.page({ before: 9, limit: 9 })).toEqual([])
})

test('a reader of its own sees what is added', () => {
  const file = newFile()
  const history = opened(file)
  const reader = openPastOrders(file)
  onTestFinished(() => reader.close())
  history.add([anOrder(5)], { seq: 1, chain: 1 })
  expect(numbers(reader.page({ before: 9, limit: 9 }))).toEqual([5])
})

test('a file that is no database is begun again: the journal fills it', () => {
  const file = newFile()
  writeFileSync(file, 'not a database, but long enough to be looked at as one'.repeat(100))
  expect(opened(file).mark()).toEqual({ seq: 0, chain: 0 })
})
