import { expect, test } from 'vitest'
import { RequestClock } from './request-clock.ts'

/** Checks every 100 ms; returns when the request is overdue. */
function overdueAt(figuresAt: (ms: number) => { cpuMs: number | null; isAsleep: boolean }): number {
  const clock = new RequestClock(0, 10_000)
  for (let ms = 100; ms < 200_000; ms += 100) if (clock.isOverdue(ms, figuresAt(ms))) return ms
  return Number.NaN
}

test('[CUST-23] a module whose load waits for something that never happens is overdue after 10 s', () => {
  expect(overdueAt((ms) => ({ cpuMs: Math.min(ms, 400), isAsleep: ms > 400 }))).toBe(10_200)
})

test('[CUST-23] a module that computes without end is overdue after 10 s', () => {
  expect(overdueAt((ms) => ({ cpuMs: ms, isAsleep: false }))).toBe(10_200)
})

test('[CUST-23] time that a module waits for a busy CPU does not count, up to ten times the limit', () => {
  expect(overdueAt((ms) => ({ cpuMs: ms / 4, isAsleep: false }))).toBe(40_200)
  expect(overdueAt(() => ({ cpuMs: 0, isAsleep: false }))).toBe(100_100)
})

test('[CUST-23] where the CPU time is not known, elapsed time counts', () => {
  expect(overdueAt(() => ({ cpuMs: null, isAsleep: false }))).toBe(10_100)
})
