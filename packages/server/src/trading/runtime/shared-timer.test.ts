import { expect, test } from 'vitest'
import { SharedTimer } from './shared-timer.ts'

test('[ENGINE-345] without commands every tick has a turn of its own', () => {
  const timer = new SharedTimer()
  for (let tick = 0; tick < 3; tick++) {
    expect(timer.tick()).toBe(true)
    expect(timer.beginTurn(0)).toBe(true)
    expect(timer.beginTurn(0)).toBe(false)
  }
})

test('[ENGINE-345] while commands arrive the timer joins their next turn', () => {
  const timer = new SharedTimer()
  expect(timer.beginTurn(5)).toBe(false)
  expect(timer.tick()).toBe(false)
  expect(timer.beginTurn(5)).toBe(true)
  expect(timer.tick()).toBe(false)
  expect(timer.tick()).toBe(false)
  expect(timer.beginTurn(5)).toBe(true)
})

test('[ENGINE-346] it waits for three ticks at most, and after a turn without commands for none', () => {
  const timer = new SharedTimer()
  timer.beginTurn(1)
  expect([timer.tick(), timer.tick(), timer.tick(), timer.tick()]).toEqual([false, false, false, true])
  expect(timer.beginTurn(0)).toBe(true)
  expect(timer.tick()).toBe(true)
})
