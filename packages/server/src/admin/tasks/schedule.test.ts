import { describe, expect, test } from 'vitest'
import { dueInstants } from './due-instants.ts'
import { checkSchedule, readSchedule } from './schedule.ts'

const NOW = new Date('2026-03-01T00:00:00Z')

test.each([
  ['30 6 * * 1-5', 'Europe/Stockholm'],
  ['*/5 * * * *', 'UTC'],
  ['0 0 29 2 *', 'America/New_York'],
  ['0 12 * * MON#1', 'Asia/Kolkata'],
])('%s in %s is a schedule', async (schedule, time_zone) => {
  expect(checkSchedule({ schedule, time_zone }, NOW)).toBeUndefined()
})

test.each([
  'x',
  '',
  '* * * *',
  '* * * * * *',
  '60 * * * *',
  '* * * * 9',
  '2026-01-01T00:00:00',
  '@reboot',
  'a b c d e',
])("'%s' is not a schedule, and the refusal shows an example", async (schedule) => {
  expect(checkSchedule({ schedule, time_zone: 'UTC' }, NOW)).toEqual({
    field: 'schedule',
    message:
      'must be a cron expression of five fields, minute hour day month weekday, such as 30 6 * * 1-5 for 06:30 from Monday to Friday',
  })
})

test('a schedule that is never due is refused', async () => {
  expect(checkSchedule({ schedule: '0 0 30 2 *', time_zone: 'UTC' }, NOW)).toEqual({
    field: 'schedule',
    message: 'is never due',
  })
})

test.each(['Mars/Olympus', '', 'CEST+2', '+01:00', '../UTC'])(
  "'%s' is not a time zone",
  async (time_zone) => {
    expect(checkSchedule({ schedule: '* * * * *', time_zone }, NOW)).toEqual({
      field: 'time_zone',
      message: 'must be a time zone such as UTC, Europe/Stockholm or America/New_York',
    })
  },
)

describe('due instants', () => {
  const due = (schedule: string, time_zone: string, after: string, until: string) =>
    dueInstants(readSchedule({ schedule, time_zone }), new Date(after), new Date(until))

  test('exclude the start and include the end of the range', () => {
    const cron = ['0 * * * *', 'UTC'] as const
    expect(due(...cron, '2026-03-01T00:00:00Z', '2026-03-01T00:59:59.999Z')).toBeUndefined()
    expect(due(...cron, '2026-03-01T00:00:00Z', '2026-03-01T03:00:00Z')).toEqual({
      first: new Date('2026-03-01T01:00:00Z'),
      last: new Date('2026-03-01T03:00:00Z'),
      count: 3,
    })
  })

  test('follow daylight saving of the time zone', () => {
    const cron = ['30 6 * * *', 'Europe/Stockholm'] as const
    expect(due(...cron, '2026-03-27T12:00:00Z', '2026-03-29T12:00:00Z')).toMatchObject({
      first: new Date('2026-03-28T05:30:00Z'),
      last: new Date('2026-03-29T04:30:00Z'),
    })
  })

  test('are counted up to 1000, and the last one is exact', () => {
    expect(due('* * * * *', 'UTC', '2026-01-01T00:00:00Z', '2026-03-01T00:00:30Z')).toEqual({
      first: new Date('2026-01-01T00:01:00Z'),
      last: new Date('2026-03-01T00:00:00Z'),
      count: 1000,
    })
  })
})
