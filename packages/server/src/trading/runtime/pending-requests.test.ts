import { expect, test } from 'vitest'
import { PendingRequests } from './pending-requests.ts'

test('what is put in is taken out once, by its number', () => {
  const slots = new PendingRequests<{ name: string }>()
  const [first, second] = [slots.put({ name: 'first' }), slots.put({ name: 'second' })]
  expect(slots.remove(second)).toEqual({ name: 'second' })
  expect(slots.remove(second)).toBeNull()
  expect(slots.remove(first)).toEqual({ name: 'first' })
  expect(slots.remove(99)).toBeNull()
})

test('a number that is free again is given again, and never two at a time', () => {
  const slots = new PendingRequests<{ turn: number }>()
  for (let turn = 0; turn < 1000; turn++) {
    const held = [slots.put({ turn }), slots.put({ turn: turn + 1 })]
    expect(new Set(held).size).toBe(2)
    expect(Math.max(...held)).toBeLessThan(2)
    expect(held.map((slot) => slots.remove(slot)?.turn)).toEqual([turn, turn + 1])
  }
})

test('all that is left is taken out at once, and numbers begin again', () => {
  const slots = new PendingRequests<{ name: string }>()
  const gone = slots.put({ name: 'gone' })
  slots.put({ name: 'left' })
  slots.remove(gone)
  slots.put({ name: 'late' })
  expect(slots.removeAll()).toEqual([{ name: 'late' }, { name: 'left' }])
  expect(slots.removeAll()).toEqual([])
  expect(slots.remove(slots.put({ name: 'new' }))).toEqual({ name: 'new' })
})
