import { expect, test } from 'vitest'
import type { MarketTick } from '#model/tick.ts'
import { type InstrumentId, idFrom } from '#values/ids.ts'
import { createColumns } from './history.ts'
import { createReplayFeed, ticksOfBars } from './replay-feed.ts'

const midnight = Date.UTC(2026, 0, 1)

function barsOf(name: string, rows: readonly [minute: number, o: number, h: number, l: number, c: number][]) {
  const columns = createColumns(idFrom<InstrumentId>(name), '1m', rows.length)
  rows.forEach(([minute, open, high, low, close], row) => {
    columns.start[row] = midnight + minute * 60_000
    columns.open[row] = open
    columns.high[row] = high
    columns.low[row] = low
    columns.close[row] = close
    columns.volume[row] = 40
  })
  return columns
}

test('a rising bar is played open, low, high, close, a falling one open, high, low, close', () => {
  const ticks = [
    ...ticksOfBars(
      [
        barsOf('A', [
          [0, 100, 110, 90, 105],
          [1, 105, 120, 80, 100],
        ]),
      ],
      { halfSpreadTicks: 2 },
    ),
  ]
  const trades = ticks.filter((tick) => tick.type === 'trade')
  expect(trades.map(({ price }) => price)).toEqual([100, 90, 110, 105, 105, 120, 80, 100])
  expect(trades.map(({ at }) => at - midnight).slice(0, 4)).toEqual([0, 15_000, 30_000, 59_999])
  expect(ticks[0]).toMatchObject({ type: 'quote', bid: 98, ask: 102, bidSize: 10, askSize: 10 })
  expect(ticks.filter((tick) => tick.type === 'bar')).toMatchObject([
    { at: midnight + 60_000, open: 100, high: 110, low: 90, close: 105, volume: 40 },
    { at: midnight + 120_000, close: 100 },
  ])
})

test('bars of several instruments come in the order of time, gaps included', () => {
  const ticks = [
    ...ticksOfBars(
      [
        barsOf('A', [
          [0, 1, 1, 1, 1],
          [2, 3, 3, 3, 3],
        ]),
        barsOf('B', [
          [1, 2, 2, 2, 2],
          [2, 4, 4, 4, 4],
        ]),
      ],
      {
        halfSpreadTicks: 1,
      },
    ),
  ]
  expect(ticks.map(({ at }) => at)).toEqual(ticks.map(({ at }) => at).toSorted((one, other) => one - other))
  const bars = ticks.filter((tick) => tick.type === 'bar').map(({ instrument, close }) => [instrument, close])
  expect(bars).toEqual([
    ['A', 1],
    ['B', 2],
    ['A', 3],
    ['B', 4],
  ])
})

test('a replay hands on every tick in order', () => {
  const ticks = [...ticksOfBars([barsOf('A', [[0, 5, 6, 4, 5]])], { halfSpreadTicks: 1 })]
  const played: MarketTick[] = []
  createReplayFeed(ticks).start((tick) => played.push(tick))
  expect(played).toEqual(ticks)
})
