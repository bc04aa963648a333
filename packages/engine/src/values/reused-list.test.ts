import { expect, test } from 'vitest'
import { ReusedList } from './reused-list.ts'

test('a list that was cleared begins again', () => {
  const list = new ReusedList<string>()
  for (const item of ['a', 'b', 'c']) list.push(item)
  expect([list.size, list.at(0), list.at(2)]).toEqual([3, 'a', 'c'])
  list.clear()
  expect(list.size).toBe(0)
  list.push('d')
  expect([list.size, list.at(0)]).toEqual([1, 'd'])
})
