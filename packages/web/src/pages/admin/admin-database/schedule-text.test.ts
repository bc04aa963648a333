import { expect, test } from 'vitest'
import { diffOf } from './record-diff.ts'
import { scheduleText } from './schedule-text.ts'

test.each([
  ['* * * * *', 'every minute'],
  ['*/15 * * * *', 'every 15 minutes'],
  ['5 * * * *', 'every hour at minute 5'],
  ['30 2 * * *', 'every day at 02:30'],
  ['0 6 * * 1-5', 'Monday to Friday at 06:00'],
  ['0 4 * * 0', 'every Sunday at 04:00'],
  ['0 4 1 * *', 'on day 1 of every month at 04:00'],
  ['0 4 1 6 *', '0 4 1 6 *'],
  ['0 4,16 * * *', '0 4,16 * * *'],
])('[ADB-14] %s reads %s', (schedule, words) => {
  expect(scheduleText(schedule, 'UTC')).toBe(`${words} (UTC)`)
})

test('[ADB-16] a diff has the fields that differ, added and removed ones included', () => {
  expect(diffOf({ a: 1, b: 'x', c: [1] }, { a: 1, b: 'y', d: null })).toEqual([
    { field: 'b', before: 'x', after: 'y' },
    { field: 'c', before: '[1]', after: undefined },
    { field: 'd', before: undefined, after: 'null' },
  ])
  expect(diffOf(null, 'text')).toEqual([{ field: 'value', before: undefined, after: 'text' }])
})
