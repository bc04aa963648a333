import { describe, expect, test } from 'vitest'
import { createInstrument, feeOn, marginOn, notionalOf } from '#model/instrument.ts'
import { moneyFromUnits } from '#values/money.ts'
import { priceFromTicks } from '#values/price.ts'
import { netQuantityFromLots, quantityFromLots } from '#values/quantity.ts'
import { createInstruments, standardInstruments } from './instruments.ts'

const instruments = standardInstruments()

describe('names', () => {
  test('BTCUSDT comes first and means the primary venue', () => {
    expect(instruments.all[0]?.id).toBe('BTCUSDT')
    expect(instruments.find('BTCUSDT')?.venue).toBe('BINANCE')
    expect(instruments.find('BTCUSDT.BINANCE')).toBe(instruments.find('BTCUSDT'))
  })

  test('BTCUSDT.BYBIT means that venue, and BTCUSDT-PERP the perpetual', () => {
    expect(instruments.find('BTCUSDT.BYBIT')).toMatchObject({
      venue: 'BYBIT',
      kind: 'SPOT',
      symbol: 'BTCUSDT',
    })
    expect(instruments.find('BTCUSDT-PERP.OKX')).toMatchObject({ venue: 'OKX', kind: 'PERPETUAL' })
  })

  test('an unknown name finds nothing', () => {
    for (const name of ['', 'DOGEUSDT', 'BTCUSDT.KRAKEN', '.BINANCE', 'BTCUSDT.BYBIT.BINANCE', '__proto__']) {
      expect(instruments.find(name)).toBeUndefined()
    }
  })

  test('every venue lists BTCUSDT, and each instrument is found at its own number', () => {
    const venues = instruments.all.filter(({ symbol }) => symbol === 'BTCUSDT').map(({ venue }) => venue)
    expect(venues).toEqual(['BINANCE', 'BYBIT', 'OKX', 'COINBASE', 'INTERACTIVE_BROKERS'])
    const numbers = instruments.all.map(({ id }) => instruments.indexOf(id))
    expect(numbers).toEqual(instruments.all.map((_, index) => index))
  })

  test('two instruments of one name are a bug', () => {
    const [first] = instruments.all
    if (first) expect(() => createInstruments([first, first])).toThrow('share an id')
  })
})

describe('values', () => {
  const bitcoin = instruments.find('BTCUSDT')

  test('0.001 BTC at 60,000.12 is worth 60.00012 exactly', () => {
    expect(bitcoin && notionalOf(bitcoin, priceFromTicks(6_000_012), quantityFromLots(100))).toBe(
      6_000_012_000,
    )
    expect(bitcoin && notionalOf(bitcoin, priceFromTicks(6_000_012), netQuantityFromLots(-100))).toBe(
      -6_000_012_000,
    )
  })

  test('a fee is its rate of the value, rounded up to the unit', () => {
    expect(bitcoin && feeOn(bitcoin, moneyFromUnits(6_000_012_000n), 'TAKER')).toBe(2_400_005)
    expect(bitcoin && feeOn(bitcoin, moneyFromUnits(6_000_012_000n), 'MAKER')).toBe(1_200_003)
  })

  test('spot ties up its whole value, a perpetual a tenth', () => {
    const perpetual = instruments.find('BTCUSDT-PERP')
    expect(bitcoin && marginOn(bitcoin, moneyFromUnits(1_000n))).toBe(1_000)
    expect(perpetual && marginOn(perpetual, moneyFromUnits(1_000n))).toBe(100)
  })

  test('terms whose values need more than eight decimals are a bug', () => {
    const terms = {
      base: 'PEPE',
      quote: 'USDT',
      venue: 'OKX' as const,
      kind: 'SPOT' as const,
      tick: '0.00000001',
      lot: '0.1',
      maxPrice: '1',
      maxQuantity: '1000',
      minLots: 1,
      makerFeePpm: 0,
      takerFeePpm: 0,
      marginRatePpm: 0,
    }
    expect(() => createInstrument(terms)).toThrow('finer than 0.00000001')
  })
})
