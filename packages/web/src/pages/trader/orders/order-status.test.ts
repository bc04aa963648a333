import { describe, expect, it } from 'vitest'
import { anOrder } from '#testkit/trading.ts'
import { canCancel, describeOrder, shownReason, toneOfSide, toneOfStatus } from './order-status.ts'

describe('order status', () => {
  it.each([
    ['FILLED', 'good'],
    ['PENDING', 'warn'],
    ['CANCELLED', 'calm'],
    ['REJECTED', 'bad'],
    ['EXPIRED', 'info'],
    ['filled', 'info'],
    ['constructor', 'info'],
    ['', 'info'],
  ])('[ORD-5] %s has the tone %s', (status, tone) => {
    expect(toneOfStatus(status)).toBe(tone)
  })

  it.each([
    ['BUY', 'good'],
    ['SELL', 'bad'],
    ['buy', 'bad'],
    ['', 'bad'],
  ])('[ORD-4] the side %s has the tone %s', (side, tone) => {
    expect(toneOfSide(side)).toBe(tone)
  })

  it.each([
    ['PENDING', true],
    ['FILLED', false],
    ['CANCELLED', false],
    ['REJECTED', false],
    ['PARTIALLY_FILLED', false],
  ])('[ORD-6] whether a %s order can be cancelled is %s', (status, expected) => {
    expect(canCancel({ status })).toBe(expected)
  })

  it('[ORD-14] a reason is told for a rejection only', () => {
    const reason = { sentence: 'Too large.' }
    expect(shownReason({ status: 'REJECTED', reason })).toBe('Too large.')
    expect(shownReason({ status: 'FILLED', reason })).toBeUndefined()
    expect(shownReason({ status: 'REJECTED', reason: undefined })).toBeUndefined()
  })

  it('an order is told from its neighbours by id, side, quantity and instrument', () => {
    expect(describeOrder(anOrder({ id: 7, side: 'SELL', quantity: 1250.5 }))).toBe('7 · SELL 1,250.5 BTCUSDT')
  })
})
