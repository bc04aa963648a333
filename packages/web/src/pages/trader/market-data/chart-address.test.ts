import { expect, test } from 'vitest'
import { parseIndicators, printIndicators, readAddress, writeAddress } from './chart-address.ts'

const REMEMBERED = { chartInterval: '1h', chartIndicators: 'sma:10' }

test('[MKT-33] an address is read as it was written', () => {
  const address = {
    instrument: 'BTCUSDT-PERP.OKX',
    interval: '5m' as const,
    indicators: parseIndicators('ema:20,ema:50,bollinger:20:2.5,macd:12:26:9'),
    dataSet: 'binance-2024',
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
  })
  expect(readAddress(new URLSearchParams('indicators='), REMEMBERED).indicators).toEqual([])
})

test('[MKT-33] unknown and damaged values fall back to the usual ones', () => {
  const address = readAddress(new URLSearchParams('interval=7m'), { ...REMEMBERED, chartInterval: '?' })
  expect(address.interval).toBe('15m')
  const parsed = parseIndicators('ema:0,ema:20,toString:1,rsi,bollinger:20:x,,vwap:99')
  expect(printIndicators(parsed)).toBe('ema:20,rsi:14,bollinger:20:2,vwap:24')
})
