import { expect, test } from 'vitest'
import { canHappen, isWorking, ORDER_LIFE, ORDER_STATES, stateAfter } from './order-life.ts'

test('the ordinary lives lead where they should', () => {
  expect(stateAfter('NEW', 'denied')).toBe('DENIED')
  expect(stateAfter('NEW', 'submitted')).toBe('SUBMITTED')
  expect(stateAfter('SUBMITTED', 'accepted')).toBe('WORKING')
  expect(stateAfter('SUBMITTED', 'rejected')).toBe('REJECTED')
  expect(stateAfter('WORKING', 'triggered')).toBe('WORKING')
  expect(stateAfter('WORKING', 'partlyFilled')).toBe('PARTLY_FILLED')
  expect(stateAfter('PARTLY_FILLED', 'filled')).toBe('FILLED')
  expect(stateAfter('PARTLY_FILLED', 'cancelled')).toBe('CANCELLED')
})

test('a filled, cancelled, rejected or denied order never moves again', () => {
  for (const state of ['FILLED', 'CANCELLED', 'REJECTED', 'DENIED'] as const) {
    expect(ORDER_LIFE[state]).toEqual({})
    expect(isWorking(state)).toBe(false)
  }
})

test('an event absent from the table is a bug', () => {
  expect(() => stateAfter('FILLED', 'cancelled')).toThrow('an order that is FILLED cannot be cancelled')
  expect(() => stateAfter('WORKING', 'rejected')).toThrow('cannot be rejected')
  expect(() => stateAfter('WORKING', 'accepted')).toThrow('cannot be accepted')
  expect(() => stateAfter('NEW', 'filled')).toThrow('cannot be filled')
})

test('whatever works can be cancelled, and nothing that works was never submitted', () => {
  for (const state of ORDER_STATES) {
    expect(canHappen(state, 'cancelled')).toBe(isWorking(state))
    expect(canHappen(state, 'submitted')).toBe(state === 'NEW')
  }
})
