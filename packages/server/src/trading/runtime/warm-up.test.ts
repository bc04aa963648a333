import type { Worker } from 'node:worker_threads'
import { type BarColumns, createColumns, MS_PER_DAY, standardInstruments } from '@binnacle/engine'
import { until } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { deskPaths } from '#testkit/desk-paths.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { startDeskClient } from './desk-client.ts'
import { startEngineThread } from './engine-thread.ts'
import { dailyTicks } from './warm-up-bars.ts'

const FIRST = Date.UTC(2026, 0, 1)

/** Days of every instrument that close at 100, 101, 102 … ticks. */
function someDays(count: number): BarColumns[] {
  return standardInstruments().all.map(({ id }) => {
    const bars = createColumns(id, '1d', count)
    for (let row = 0; row < count; row++) {
      bars.start[row] = FIRST + row * MS_PER_DAY
      bars.open[row] = bars.high[row] = bars.low[row] = bars.close[row] = 100 + row
    }
    return bars
  })
}

async function aHost(daily: BarColumns[]) {
  const workers: Worker[] = []
  const host = await startDeskClient({
    paths: deskPaths(),
    seed: 1,
    logger: silentLog,
    daily,
    startWorker: (options) => {
      const worker = startEngineThread(options)
      workers.push(worker)
      return worker
    },
  })
  onTestFinished(() => host.close())
  await host.submit({ type: 'StartService', service: 'risk' })
  const valueAtRisk = () => host.views.risk().valueAtRisk
  return { host, workers, valueAtRisk }
}

test('a recorded day becomes a bar tick at its end, without quotes', () => {
  const ticks = [...dailyTicks(someDays(2).slice(0, 1))]
  expect(ticks).toMatchObject([
    { type: 'bar', interval: '1d', at: FIRST + MS_PER_DAY, close: 100 },
    { type: 'bar', interval: '1d', at: FIRST + 2 * MS_PER_DAY, close: 101 },
  ])
})

test('with enough recorded days there is a value at risk from the start', async () => {
  const { valueAtRisk } = await aHost(someDays(31))
  await until(() => expect(valueAtRisk()).toBe(0))
})

test('with one day less value at risk is null until more days are recorded, and a restarted engine has them', async () => {
  const { host, workers, valueAtRisk } = await aHost(someDays(30))
  expect(valueAtRisk()).toBeNull()
  host.loadDailyBars(someDays(31))
  await until(() => expect(valueAtRisk()).toBe(0))
  await workers[0]?.terminate()
  await until(() => expect(workers).toHaveLength(2))
  await until(() => expect(host.views.haltReason).toBeNull())
  await until(() => expect(valueAtRisk()).toBe(0))
})
