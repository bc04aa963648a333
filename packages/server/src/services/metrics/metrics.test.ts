import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { createSamples } from '#storage/samples/samples.ts'
import { openSamplesStore } from '#storage/samples/samples-store.ts'
import { openMetrics } from './metrics.ts'

const SECONDS = 100

function newMetrics(now: () => number, total: () => number) {
  const metrics = openMetrics({
    dataFolder: temporaryFolder(),
    samples: createSamples(openSamplesStore(':memory:')),
    rates: [
      {
        name: 'Fills',
        unit: 'fills/s',
        series: 'rate.fills',
        metric: 'binnacle_fills_total',
        help: 'Fills',
        total,
      },
    ],
    gauges: [],
    now,
  })
  onTestFinished(() => metrics.close())
  return metrics
}

test('[MON-11] measuring takes less than 1 % of a core', () => {
  let nowMs = 0
  const metrics = newMetrics(
    () => nowMs,
    () => 0,
  )
  const before = process.cpuUsage()
  for (let second = 0; second < SECONDS; second++) {
    nowMs += 1000
    metrics.source.read()
  }
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1e6).toBeLessThan(SECONDS / 100)
})

test('[MON-3] a rate is what was counted since the second before, and never below zero', async () => {
  let [nowMs, total] = [0, 5]
  const metrics = newMetrics(
    () => nowMs,
    () => total,
  )
  const rateAfter = (seconds: number, counted: number) => {
    nowMs += seconds * 1000
    total = counted
    return metrics.source.read().values.get('rate.fills')
  }
  expect(rateAfter(1, 12)).toBe(7)
  expect(rateAfter(2, 18)).toBe(3)
  // An engine that was restarted counts from zero.
  expect(rateAfter(1, 0)).toBe(0)
  expect(rateAfter(1, 4)).toBe(4)
  expect((await metrics.read()).rates).toEqual([
    { name: 'Fills', unit: 'fills/s', series: 'rate.fills', per_second: 4 },
  ])
})
