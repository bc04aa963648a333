import { describe, expect, test } from 'vitest'
import { BLANK_ORDER, hasPrice, listedInstrument, orderFrom, quantityOf } from './order-form.ts'

describe('order form', () => {
  test('[ORD-9] starts as a limit order to buy 0.001 BTCUSDT at 0', () => {
    expect(orderFrom(BLANK_ORDER, undefined)).toEqual({
      instrument: 'BTCUSDT',
      side: 'BUY',
      type: 'LIMIT',
      quantity: 0.001,
      price: 0,
    })
  })

  test.each([
    ['MARKET', false],
    ['LIMIT', true],
    ['STOP', true],
  ] as const)('[ORD-10] whether a %s order shows a price is %s', (type, expected) => {
    expect(hasPrice({ type })).toBe(expected)
  })

  test('[ORD-11] sends what was typed, senseless or not', () => {
    const form = { ...BLANK_ORDER, instrument: '', quantity: '-3', price: '12.345' }
    expect(orderFrom(form, undefined)).toMatchObject({ instrument: '', quantity: -3, price: 12.345 })
    expect(JSON.stringify(orderFrom({ ...form, quantity: '' }, undefined))).toContain('"quantity":null')
  })

  test('[ORD-70] a change of type sets its usual time in force, or keeps the one that was chosen', () => {
    const sent = (form: Partial<typeof BLANK_ORDER>) =>
      orderFrom({ ...BLANK_ORDER, ...form }, undefined).time_in_force
    expect(sent({ type: 'LIMIT' })).toBeUndefined()
    expect(sent({ type: 'LIMIT', timeInForce: 'FOK' })).toBe('FOK')
    expect(sent({ type: 'MARKET', timeInForce: 'FOK' })).toBe('FOK')
    expect(sent({ type: 'STOP', timeInForce: 'FOK' })).toBeUndefined()
    expect(sent({ type: 'MARKET', timeInForce: 'GTC' })).toBeUndefined()
  })

  test('[ORD-74] a listed instrument is meant in any case of its letters', () => {
    const listed = [{ id: 'BTCUSDT' }, { id: 'BTCUSDT-PERP' }]
    const form = { ...BLANK_ORDER, instrument: 'btcusdt-perp' }
    expect(orderFrom(form, listedInstrument(form, listed)).instrument).toBe('BTCUSDT-PERP')
    expect(orderFrom(form, listedInstrument(form, [])).instrument).toBe('btcusdt-perp')
  })

  test('[ORD-75] the default quantity is at least the minimum of the instrument', () => {
    expect(quantityOf(BLANK_ORDER, { id: 'BTCUSDT', min_quantity: 0.0001, lot_size: 0.00001 })).toBe('0.001')
    expect(quantityOf(BLANK_ORDER, { id: 'SOLUSDT', min_quantity: 0.01 })).toBe('0.01')
    expect(quantityOf(BLANK_ORDER, { id: 'DOGEUSDT', lot_size: 1 })).toBe('1')
    expect(quantityOf({ ...BLANK_ORDER, quantity: '0.5' }, { id: 'DOGEUSDT', lot_size: 1 })).toBe('0.5')
  })
})
