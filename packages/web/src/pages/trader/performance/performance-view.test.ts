import { expect, test } from 'vitest'
import { fullReturn, weeksOf } from './calendar-grid.ts'
import { stepsOf } from './cost-panel.tsx'
import { equityPoints } from './equity-points.ts'
import { readAddress, writeAddress } from './performance-address.ts'
import { daysCsv, reportJson, tradesCsv } from './performance-export.ts'
import { chartOf } from './trade-chart.ts'

const day = (start: string, change: number | null) => ({ start, pnl: 1, return: change, after_gap: false })

test('[PERF-20] the address keeps what is valid and leaves out the rest', () => {
  const read = (query: string) => readAddress(new URLSearchParams(query))
  expect(read('')).toEqual({ period: '3M', strategy: undefined, hold: undefined, run: undefined })
  expect(read('period=2Y&run=x')).toMatchObject({ period: '3M', run: undefined })
  const full = { period: 'YTD', strategy: 'S-1', hold: 'BTCUSDT', run: '12' } as const
  expect(readAddress(writeAddress(full))).toEqual(full)
})

test('[PERF-22] weeks begin on Monday, and a week without a record is there', () => {
  const weeks = weeksOf([day('2026-05-07', 0.01), day('2026-05-20', -0.02)])
  expect(weeks.map(({ start, days }) => [start, days.findIndex((each) => each !== undefined)])).toEqual([
    ['2026-05-04', 3],
    ['2026-05-11', -1],
    ['2026-05-18', 2],
  ])
  expect(weeksOf([])).toEqual([])
  expect(fullReturn([day('2026-05-07', null), day('2026-05-08', -0.02)])).toBe(0.02)
})

test('[PERF-9] each bar of the costs begins where the one before it ended', () => {
  const costs = { gross: 100, fees: 30, slippage: -10, measured_fills: 1, fills: 1, funding: -20, net: 60 }
  expect(stepsOf(costs).map(({ name, kind, left, width }) => [name, kind, left, width])).toEqual([
    ['Gross', 'total', 0, 100],
    ['Fees', 'loss', 70, 30],
    ['Slippage', 'gain', 70, 10],
    ['Funding', 'loss', 60, 20],
    ['Net', 'total', 0, 60],
  ])
})

test.each([
  ['2026-05-12T13:30:00Z', '1m'],
  ['2026-05-12T06:00:00Z', '5m'],
  ['2026-05-11T06:00:00Z', '15m'],
  ['2026-05-04T06:00:00Z', '1h'],
  ['2026-01-04T06:00:00Z', '4h'],
])('[PERF-23] a trade since %s is shown in bars of %s', (opened, interval) => {
  const to = chartOf({ instrument: 'BTCUSDT', opened_at: opened, closed_at: '2026-05-12T14:00:00Z' })
  expect(new URLSearchParams(to.split('?')[1]).get('interval')).toBe(interval)
})

test('[PERF-26] exports say that the venues are simulated', () => {
  const returns = { day: [day('2026-05-07', 0.25), day('2026-05-08', null)], week: [], month: [] }
  expect(daysCsv({ returns }, true)).toBe(
    'start,pnl,return,after_gap,venues\r\n2026-05-07,1,0.25,false,Simulated venues\r\n2026-05-08,1,,false,Simulated venues\r\n',
  )
  const trade = {
    id: 'P-1',
    instrument: 'BTCUSDT',
    side: 'LONG',
    strategy: 'S-1',
    strategy_name: 'Trend, slow',
    realized_pnl: 2,
    fees: 1,
    funding: 0,
    result: 1,
    opened_at: 'a',
    closed_at: 'b',
    journal_seq: 3,
  }
  expect(tradesCsv([trade], true).split('\r\n')[1]).toBe(
    'P-1,BTCUSDT,LONG,S-1,"Trend, slow",a,b,2,1,0,1,Simulated venues',
  )
  // Only the parts that the export adds.
  expect(JSON.parse(reportJson({ period: '1D' } as never, [trade], true))).toMatchObject({
    venues: 'Simulated venues',
    period: '1D',
    trade_list: [{ id: 'P-1' }],
  })
  expect(tradesCsv([trade], false)).toContain(',Venues\r\n')
})

test('[PERF-32] the curve begins with the equity at the start, unless its first interval does', () => {
  const from = '2026-05-13T11:59:30.000Z'
  const at = Date.parse(from) / 1000
  const report = (first: number) => ({
    from,
    start_equity: 100_000,
    curve: [[first, 99_990, 0.0001]] as [number, number, number][],
  })
  expect(equityPoints(report(at + 30))).toEqual([
    { at, equity: 100_000, drawdown: 0 },
    { at: at + 30, equity: 99_990, drawdown: 0.0001 },
  ])
  expect(equityPoints(report(at))).toEqual([{ at, equity: 99_990, drawdown: 0.0001 }])
  expect(equityPoints({ ...report(at), curve: [] })).toEqual([])
})
