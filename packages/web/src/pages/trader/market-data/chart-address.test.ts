import { expect, test } from 'vitest'
import { barsUntil, parseIndicators, printIndicators, readAddress, writeAddress } from './chart-address.ts'

const REMEMBERED = { chartInterval: '1h', chartIndicators: 'sma:10' }

test('[MKT-33] an address is read as it was written', () => {
  const address = {
    instrument: 'BTCUSDT-PERP.OKX',
    interval: '5m' as const,
    indicators: parseIndicators('ema:20,ema:50,bollinger:20:2.5,macd:12:26:9'),
    dataSet: 'binance-2024',
    at: '2026-05-12T14:02:00.000Z',
  }
  expect(readAddress(writeAddress(address), REMEMBERED)).toEqual(address)
})

test('[MKT-33] what the address leaves out is as it was chosen last', () => {
  const address = readAddress(new URLSearchParams('instrument=ETHUSDT'), REMEMBERED)
  expect(address).toEqual({
    instrument: 'ETHUSDT',
    interval: '1h',
    indicators: [{ name: 'sma', settings: [10] }],
    dataSet: undefined,
    at: undefined,
  })
  expect(readAddress(new URLSearchParams('indicators='), REMEMBERED).indicators).toEqual([])
})

test('[MKT-33] unknown and damaged values fall back to the usual ones', () => {
  const address = readAddress(new URLSearchParams('interval=7m'), { ...REMEMBERED, chartInterval: '?' })
  expect(address.interval).toBe('15m')
  const parsed = parseIndicators('ema:0,ema:20,toString:1,rsi,bollinger:20:x,,vwap:99')
  expect(printIndicators(parsed)).toBe('ema:20,rsi:14,bollinger:20:2,vwap:24')
})

test('[PERF-27] a past time is shown with bars after it; a recent one is among the latest', () => {
  const at = '2026-05-12T14:02:00.000Z'
  const now = Date.parse('2026-05-12T16:00:00.000Z')
  expect(barsUntil(at, 60, now)).toBe('2026-05-12T15:02:00.000Z')
  expect(barsUntil(at, 900, now)).toBeUndefined()
  expect(barsUntil(undefined, 60, now)).toBeUndefined()
  expect(readAddress(new URLSearchParams('at=soon'), REMEMBERED).at).toBeUndefined()
})
