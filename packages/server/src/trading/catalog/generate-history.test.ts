import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createInstruments,
  createRandom,
  createSimulatedMarket,
  type InstrumentId,
  idFrom,
  instantFromMs,
  MS_PER_DAY,
  standardInstruments,
} from '@binnacle/engine'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { openCatalog } from './catalog.ts'
import { generateMissingDays, type HistoryOptions, type HistoryProgress } from './generate-history.ts'

const BTC = idFrom<InstrumentId>('BTCUSDT')
/** Two are as good as all, and take a tenth of the time. */
const FEW = createInstruments(standardInstruments().all.filter(({ id }) => /^(BTC|ETH)USDT$/.test(id)))
/** Three days before it lie on both sides of a month's end. */
const TODAY = Date.UTC(2026, 1, 3)

async function aHistory({ instruments = FEW, ...given }: Partial<HistoryOptions> = {}) {
  const folder = temporaryFolder()
  const catalog = await openCatalog(folder, instruments)
  onTestFinished(() => catalog.close())
  const progress: HistoryProgress[] = []
  const market = createSimulatedMarket({
    instruments,
    random: createRandom(3),
    at: instantFromMs(TODAY),
  }).state()
  const options: HistoryOptions = {
    catalog,
    instruments,
    planFile: join(folder, 'history.json'),
    seed: 11,
    days: 3,
    until: instantFromMs(TODAY),
    market,
    onProgress: (step) => progress.push(step),
    isStopped: () => false,
    ...given,
  }
  const readAll = (interval: '1m' | '1d') =>
    catalog.readBars({
      instrument: BTC,
      interval,
      from: instantFromMs(0),
      to: instantFromMs(TODAY + MS_PER_DAY),
    })
  return { catalog, options, progress, readAll }
}

test('a first start fills the days before today, of every instrument, by the minute and by the day', async () => {
  const { catalog, options, progress } = await aHistory({ instruments: standardInstruments() })
  await generateMissingDays(options)
  const entries = await catalog.list()
  expect(entries.filter(({ interval }) => interval === '1m')).toHaveLength(23)
  expect(entries.filter(({ interval }) => interval === '1d')).toHaveLength(23)
  const [days, minutes] = [entries.find(isDaily), entries.find((entry) => !isDaily(entry))]
  expect(minutes).toMatchObject({ from: TODAY - 3 * MS_PER_DAY, to: TODAY - 60_000, rows: 3 * 1_440 })
  expect(days).toMatchObject({ from: TODAY - 3 * MS_PER_DAY, to: TODAY - MS_PER_DAY, rows: 3 })
  expect(progress.at(-1)).toEqual({ done: true, days: 3, of: 3 })
  expect(progress.slice(0, -1).every(({ done }) => !done)).toBe(true)
})

test('a day is the first open, the extremes, the last close and all the volume of its minutes', async () => {
  const { options, readAll } = await aHistory({ days: 1 })
  await generateMissingDays(options)
  const [minutes, day] = [await readAll('1m'), await readAll('1d')]
  expect(day).toMatchObject({ length: 1 })
  expect(day.open[0]).toBe(minutes.open[0])
  expect(day.high[0]).toBe(Math.max(...minutes.high))
  expect(day.low[0]).toBe(Math.min(...minutes.low))
  expect(day.close[0]).toBe(minutes.close[1_439])
  expect(day.volume[0]).toBe(minutes.volume.reduce((sum, volume) => sum + volume, 0))
})

test('history ends where the live market stands', async () => {
  const { options, readAll } = await aHistory()
  options.market.logPrices.BTC = Math.log(81_234)
  await generateMissingDays(options)
  const minutes = await readAll('1m')
  // The instrument stands a small premium away from its asset, which the live market has as well.
  expect((minutes.close.at(-1) ?? 0) / 100).toBeGreaterThan(81_234 * 0.997)
  expect((minutes.close.at(-1) ?? 0) / 100).toBeLessThan(81_234 * 1.003)
})

test('[MKT-68] a first start also fills today, up to the minute in which the market began to run, and ends at its price', async () => {
  const until = instantFromMs(TODAY + 1_021 * 60_000 + 20_000)
  const { options, readAll } = await aHistory({ days: 1, until })
  options.market.logPrices.BTC = Math.log(81_234)
  await generateMissingDays(options)
  const [minutes, days] = [await readAll('1m'), await readAll('1d')]
  expect([...minutes.start]).toEqual(
    Array.from({ length: 1_440 + 1_021 }, (_, row) => TODAY - MS_PER_DAY + row * 60_000),
  )
  // Prices go on at midnight where they were, and end where the market stands.
  expect(minutes.open[1_440]).toBe(minutes.close[1_439])
  expect((minutes.close.at(-1) ?? 0) / 100).toBeGreaterThan(81_234 * 0.997)
  expect((minutes.close.at(-1) ?? 0) / 100).toBeLessThan(81_234 * 1.003)
  // A day that is not over has no bar of a day.
  expect([...days.start]).toEqual([TODAY - MS_PER_DAY])
})

test('[MKT-69] history ends before the minutes that an earlier start recorded today, and an earlier plan has no today', async () => {
  const until = instantFromMs(TODAY + 600 * 60_000)
  const { catalog, options, readAll } = await aHistory({ days: 1, until })
  const start = instantFromMs(TODAY + 30 * 60_000)
  catalog.record([{ instrument: BTC, start, open: 5, high: 5, low: 5, close: 5, volume: 7 }])
  await generateMissingDays(options)
  const minutes = await readAll('1m')
  expect(minutes.length).toBe(1_440 + 31)
  expect(minutes.volume.at(-1)).toBe(7)

  const earlier = await aHistory({ days: 1, until })
  const { lastMinutes: _, ...plan } = JSON.parse(readFileSync(options.planFile, 'utf8'))
  writeFileSync(earlier.options.planFile, JSON.stringify({ ...plan, stored: 0 }))
  await generateMissingDays(earlier.options)
  expect((await earlier.readAll('1m')).length).toBe(1_440)
})

test('a history that was stopped continues with the missing days, to the same bars', async () => {
  const whole = await aHistory()
  await generateMissingDays(whole.options)

  const { options, progress, readAll, catalog } = await aHistory()
  // The first month is stored; the stop comes in the second.
  await generateMissingDays({ ...options, isStopped: () => progress.some(({ days }) => days === 2) })
  expect((await readAll('1m')).length).toBe(1_440)
  progress.length = 0
  // Another day, another seed and another market by now: the plan of the first start stands.
  await generateMissingDays({
    ...options,
    seed: 99,
    days: 90,
    until: instantFromMs(TODAY + MS_PER_DAY),
    isStopped: () => false,
  })
  expect(progress[0]).toEqual({ done: false, days: 2, of: 3 })
  expect(progress.at(-1)).toEqual({ done: true, days: 3, of: 3 })
  expect(await readAll('1m')).toEqual(await whole.readAll('1m'))
  expect(await readAll('1d')).toEqual(await whole.readAll('1d'))
  expect(await catalog.list()).toEqual(await whole.catalog.list())
})

test('a stop before the first day leaves nothing, and a finished history adds nothing', async () => {
  const { catalog, options, progress } = await aHistory({ days: 1 })
  await generateMissingDays({ ...options, isStopped: () => true })
  expect(await catalog.list()).toEqual([])
  await generateMissingDays(options)
  progress.length = 0
  await generateMissingDays(options)
  expect(progress).toEqual([])
})

function isDaily({ interval }: { interval: string }): boolean {
  return interval === '1d'
}
