import { describe, expect, test } from 'vitest'
import { BLANK_ORDER, hasPrice, orderFrom } from './order-form.ts'

describe('order form', () => {
  test('[ORD-9] starts as a limit order to buy 0.001 BTCUSDT at 0', () => {
    expect(orderFrom(BLANK_ORDER)).toEqual({
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
    expect(orderFrom(form)).toMatchObject({ instrument: '', quantity: -3, price: 12.345 })
    expect(JSON.stringify(orderFrom({ ...form, quantity: '' }))).toContain('"quantity":null')
  })
})
