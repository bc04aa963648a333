import { join } from 'node:path'
import {
  createColumns,
  instantFromMs,
  type MarketTick,
  standardInstruments,
  ticksOfBars,
} from '@binnacle/engine'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { openCatalog } from './catalog.ts'
import { openReplay } from './replay.ts'

const instruments = standardInstruments()
const [instrument] = instruments.all
if (instrument === undefined) throw new Error('there are no instruments')
const START = Date.UTC(2026, 0, 1)
const BARS = 'time,open,high,low,close,volume\n'

async function play(file: string): Promise<MarketTick[]> {
  const ticks: MarketTick[] = []
  const feed = await openReplay({ file, instrument: instrument ?? fail() })
  feed.start((tick) => ticks.push(tick))
  return ticks
}

function fail(): never {
  throw new Error('no instrument')
}

function csv(text: string): string {
  return join(temporaryFolder({ 'a.csv': text }), 'a.csv')
}

function aBar() {
  const bars = createColumns(instrument?.id ?? fail(), '1m', 1)
  bars.start[0] = START
  bars.open[0] = 6_000_000
  bars.high[0] = 6_000_300
  bars.low[0] = 5_999_900
  bars.close[0] = 6_000_250
  bars.volume[0] = 150_000
  return bars
}

test('bars of a CSV file are played as the path of each bar', async () => {
  const ticks = await play(csv(`${BARS}2026-01-01T00:00:00Z,60000,60003,59999,60002.5,1.5\n`))
  expect(ticks).toEqual([...ticksOfBars([aBar()], { halfSpreadTicks: 1 })])
  expect(ticks).toHaveLength(9)
})

test('a file of the catalog plays as its bars do', async () => {
  const folder = temporaryFolder()
  const catalog = await openCatalog(folder, instruments)
  onTestFinished(() => catalog.close())
  await catalog.writeBars(aBar())
  const ticks = await play(join(folder, 'bars', 'BTCUSDT', '1m', '2026-01.parquet'))
  expect(ticks).toEqual([...ticksOfBars([aBar()], { halfSpreadTicks: 1 })])
})

test('ticks are played as quotes, with sizes when the file has them', async () => {
  const ticks = await play(csv(`time,bid,ask,bid_size,ask_size\n${START},59999.99,60000.01,0.5,0.25\n`))
  expect(ticks).toMatchObject([
    {
      type: 'quote',
      at: instantFromMs(START),
      bid: 5_999_999,
      ask: 6_000_001,
      bidSize: 50_000,
      askSize: 25_000,
    },
  ])
})

test.each([
  ['time,bid,ask\n0,1,2\n5,abc,2\n', "line 3: bid 'abc' is not a number."],
  ['time,bid,ask\n0,1.001,2\n', "line 2: bid '1.001' is not a whole number of ticks or lots."],
  ['time,bid,ask\n0,2,2\n', 'line 2: bid 2 is not below ask 2.'],
  ['time,bid,ask\n5,1,2\n4,1,2\n', 'line 3: time 4 is before that of the row above it.'],
  ['time,bid,ask\nsoon,1,2\n', "line 2: time 'soon' is neither milliseconds since 1970 nor a date and time"],
  [`${BARS}30000,1,1,1,1,1\n`, 'line 2: time 30000 is not the start of a 1m bar.'],
  [`${BARS}0,2,1,1,1,1\n`, 'line 2: high 1 is below another price of the bar.'],
  [`${BARS}0,-2,1,1,1,1\n`, "line 2: open '-2' is negative."],
  [
    'time,price\n0,1\n',
    'has the columns time, price; it needs time, open, high, low, close, volume for bars',
  ],
])('%j is refused with where and why', async (text, sentence) => {
  const file = csv(text)
  await expect(play(file)).rejects.toThrow(sentence)
  await expect(play(file)).rejects.toThrow(file)
})
