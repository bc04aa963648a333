import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type InstrumentId, idFrom, instantFromMs, standardInstruments } from '@binnacle/engine'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { openCatalog } from './catalog.ts'
import { type Minute, openMinuteTail } from './minute-tail.ts'

const BTC = idFrom<InstrumentId>('BTCUSDT')
const ETH = idFrom<InstrumentId>('ETHUSDT')
const MINUTE = 60_000
const NEW_YEAR = Date.UTC(2026, 0, 1)
const DAY = 1_440 * MINUTE

function minute(number: number, close: number, instrument = BTC): Minute {
  const start = instantFromMs(NEW_YEAR + number * MINUTE)
  return { instrument, start, open: close, high: close + 2, low: close - 2, close, volume: 3 }
}

const closesOf = (tail: ReturnType<typeof openMinuteTail>, instrument: InstrumentId) =>
  Array.from(tail.read().get(instrument)?.close ?? [])

test('minutes are read back by instrument, in order, the later word for a minute standing', () => {
  const tail = openMinuteTail(join(temporaryFolder(), 'minutes.csv'))
  tail.add([minute(1, 101), minute(1, 50, ETH)])
  tail.add([minute(0, 100), minute(1, 111)])
  expect(closesOf(tail, BTC)).toEqual([100, 111])
  expect(closesOf(tail, ETH)).toEqual([50])
})

test('a line torn by a crash is passed over, and the next minute is not lost with it', () => {
  const file = join(temporaryFolder(), 'minutes.csv')
  const tail = openMinuteTail(file)
  tail.add([minute(0, 100)])
  appendFileSync(file, 'BTCUSDT,176722')
  tail.add([minute(2, 102)])
  expect(closesOf(tail, BTC)).toEqual([100, 102])
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, -4))
  expect(closesOf(tail, BTC)).toEqual([100])
})

test('what is dropped leaves the latest minute, and those that came meanwhile', () => {
  const tail = openMinuteTail(join(temporaryFolder(), 'minutes.csv'))
  tail.add([minute(0, 100), minute(1, 101), minute(0, 50, ETH)])
  const read = tail.read()
  tail.add([minute(2, 102)])
  tail.drop(read)
  expect(closesOf(tail, BTC)).toEqual([101, 102])
  expect(closesOf(tail, ETH)).toEqual([50])
})

test('a catalog shows recorded minutes at once and, settled, from its files, with the day they make', async () => {
  const folder = temporaryFolder()
  const catalog = await openCatalog(folder, standardInstruments())
  onTestFinished(() => catalog.close())
  catalog.record([minute(0, 100), minute(1, 105), minute(2, 103)])
  const period = { instrument: BTC, from: instantFromMs(NEW_YEAR), to: instantFromMs(NEW_YEAR + DAY) }
  const asRecorded = await catalog.readBars({ ...period, interval: '1m' })
  expect(Array.from(asRecorded.close)).toEqual([100, 105, 103])
  expect(await catalog.settle()).toBe(true)
  expect(readFileSync(join(folder, 'minutes.csv'), 'utf8').trim().split('\n')).toHaveLength(1)
  expect(await catalog.readBars({ ...period, interval: '1m' })).toEqual(asRecorded)
  const day = await catalog.readBars({ ...period, interval: '1d' })
  expect([day.length, day.open[0], day.high[0], day.low[0], day.close[0], day.volume[0]]).toEqual([
    1, 100, 107, 98, 103, 9,
  ])
})

test('minutes that reach past midnight settle into both days', async () => {
  const catalog = await openCatalog(temporaryFolder(), standardInstruments())
  onTestFinished(() => catalog.close())
  catalog.record([minute(1_439, 100), minute(1_440, 104)])
  await catalog.settle()
  const days = await catalog.readBars({
    instrument: BTC,
    interval: '1d',
    from: instantFromMs(NEW_YEAR),
    to: instantFromMs(NEW_YEAR + 2 * DAY),
  })
  expect(Array.from(days.start)).toEqual([NEW_YEAR, NEW_YEAR + DAY])
  expect(Array.from(days.close)).toEqual([100, 104])
})
