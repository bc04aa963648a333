import { expect, test } from 'vitest'
import { equityCsv, tradesCsv } from './run-export.ts'

test('[BT-27] [BT-35] trades and equity are exported with every digit, one row each', () => {
  const trade = {
    instrument: 'BTC,"X"',
    side: 'LONG',
    opened_at: '2026-01-05T00:00:00.000Z',
    closed_at: '2026-01-05T01:00:00.000Z',
    quantity: 0.001,
    entry_price: 67_000.5,
    exit_price: 67_100,
    fees: 0.067,
    funding: 0,
    pnl: -0.0325,
  }
  expect(tradesCsv([trade])).toBe(
    'instrument,side,opened_at,closed_at,quantity,entry_price,exit_price,fees,funding,pnl,venues\r\n' +
      '"BTC,""X""",LONG,2026-01-05T00:00:00.000Z,2026-01-05T01:00:00.000Z,0.001,67000.5,67100,0.067,0,-0.0325,Simulated venues\r\n',
  )
  expect(equityCsv([{ at: '2026-01-05T00:01:00.000Z', equity: 100_000.25, drawdown: 0.1 }])).toBe(
    'at,equity,drawdown,venues\r\n2026-01-05T00:01:00.000Z,100000.25,0.1,Simulated venues\r\n',
  )
})
