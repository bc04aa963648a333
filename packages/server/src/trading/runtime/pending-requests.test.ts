import { expect, test } from 'vitest'
import { PendingCommands } from './pending-commands.ts'

test('what is put in is taken out once, by its number', () => {
  const slots = new PendingCommands<{ name: string }>()
  const [first, second] = [slots.put({ name: 'first' }), slots.put({ name: 'second' })]
  expect(slots.take(second)).toEqual({ name: 'second' })
  expect(slots.take(second)).toBeNull()
  expect(slots.take(first)).toEqual({ name: 'first' })
  expect(slots.take(99)).toBeNull()
})

test('a number that is free again is given again, and never two at a time', () => {
  const slots = new PendingCommands<{ turn: number }>()
  for (let turn = 0; turn < 1000; turn++) {
    const held = [slots.put({ turn }), slots.put({ turn: turn + 1 })]
    expect(new Set(held).size).toBe(2)
    expect(Math.max(...held)).toBeLessThan(2)
    expect(held.map((slot) => slots.take(slot)?.turn)).toEqual([turn, turn + 1])
  }
})

test('all that is left is taken out at once, and numbers begin again', () => {
  const slots = new PendingCommands<{ name: string }>()
  const gone = slots.put({ name: 'gone' })
  slots.put({ name: 'left' })
  slots.take(gone)
  slots.put({ name: 'late' })
  expect(slots.takeAll()).toEqual([{ name: 'late' }, { name: 'left' }])
  expect(slots.takeAll()).toEqual([])
  expect(slots.take(slots.put({ name: 'new' }))).toEqual({ name: 'new' })
})
