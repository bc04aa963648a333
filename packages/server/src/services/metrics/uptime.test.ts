import { expect, test } from 'vitest'
import { createSamples } from '#storage/samples/samples.ts'
import { openSamplesStore } from '#storage/samples/samples-store.ts'
import { createUptime } from './uptime.ts'

const NOON = Date.parse('2026-03-02T12:00:00Z')

test('[MON-7] uptime is the share of minutes with a record, from the first one on, per day', async () => {
  const store = openSamplesStore(':memory:')
  const record = (atMs: number) => store.add({ at: atMs / 1000, values: new Map([['cpu.process', 1]]) })
  // From 23:00, with the minutes 23:10 to 23:19 missing, then to 00:29 and again at 12:00.
  const evening = Date.parse('2026-03-01T23:00:00Z')
  for (let minute = 0; minute < 90; minute++)
    if (minute < 10 || minute > 19) record(evening + minute * 60_000)
  record(NOON)
  const uptime = createUptime(createSamples(store), () => NOON)
  const { percent, days } = await uptime()
  expect(days).toEqual([
    { date: '2026-03-01', percent: (50 / 60) * 100, down_minutes: 10 },
    { date: '2026-03-02', percent: (31 / 721) * 100, down_minutes: 690 },
  ])
  expect(percent).toBeCloseTo((81 / 781) * 100, 9)
})

test('[MON-7] before the first record there is no uptime', async () => {
  const uptime = createUptime(createSamples(openSamplesStore(':memory:')), () => NOON)
  expect(await uptime()).toEqual({ percent: null, days: [] })
})
