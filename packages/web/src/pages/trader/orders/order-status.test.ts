import { describe, expect, it } from 'vitest'
import { anOrder } from '#testkit/trading.ts'
import {
  canCancel,
  describeOrder,
  reasonInRow,
  shownReason,
  toneOfSide,
  toneOfStatus,
} from './order-status.ts'

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

  it('[ORD-16] a placed order was refused when it is REJECTED only', () => {
    const reason = { sentence: 'Too large.' }
    expect(shownReason({ status: 'REJECTED', reason })).toBe('Too large.')
    expect(shownReason({ status: 'FILLED', reason })).toBeUndefined()
    expect(shownReason({ status: 'CANCELLED', reason })).toBeUndefined()
    expect(shownReason({ status: 'REJECTED', reason: undefined })).toBeUndefined()
  })

  it.each([
    ['REJECTED', 'limit.order-size', true],
    ['CANCELLED', 'cancel.trading-state', true],
    ['CANCELLED', 'cancel.nothing-to-reduce', true],
    ['CANCELLED', 'cancel.strategy-stopped', true],
    ['CANCELLED', undefined, true],
    ['CANCELLED', 'cancel.asked', false],
    ['CANCELLED', 'cancel.strategy', false],
    ['FILLED', 'cancel.trading-state', false],
    ['PENDING', 'cancel.trading-state', false],
  ])('[ORD-14] whether a %s order with the reason %s tells it is %s', (status, code, isTold) => {
    const told = reasonInRow({ status, reason: { code, sentence: 'This is why.' } })
    expect(told).toBe(isTold ? 'This is why.' : undefined)
  })

  it('[ORD-14] an order without a reason tells none', () => {
    expect(reasonInRow({ status: 'CANCELLED', reason: undefined })).toBeUndefined()
    expect(reasonInRow({ status: 'REJECTED', reason: undefined })).toBeUndefined()
  })

  it('an order is told from its neighbours by id, side, quantity and instrument', () => {
    expect(describeOrder(anOrder({ id: 7, side: 'SELL', quantity: 1250.5 }))).toBe('7 · SELL 1,250.5 BTCUSDT')
  })
})
