import { describe, expect, test } from 'vitest'
import { anOrder } from '#testkit/trading.ts'
import { canCancel } from '#ui/order/order-rules.ts'
import {
  checkResults,
  rejectionReason,
  rowReason,
  toneOfSide,
  toneOfStatus,
  workingFirst,
} from './order-status.ts'

describe('order status', () => {
  test.each([
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

  test.each([
    ['BUY', 'good'],
    ['SELL', 'bad'],
    ['buy', 'bad'],
    ['', 'bad'],
  ])('[ORD-4] the side %s has the tone %s', (side, tone) => {
    expect(toneOfSide(side)).toBe(tone)
  })

  test.each([
    ['PENDING', true],
    ['FILLED', false],
    ['CANCELLED', false],
    ['REJECTED', false],
    ['PARTIALLY_FILLED', false],
  ])('[ORD-6] whether a %s order can be cancelled is %s', (status, expected) => {
    expect(canCancel({ status })).toBe(expected)
  })

  test('[CALL-50] an order whose cancel is not confirmed is Cancelling', () => {
    expect(rowReason({ status: 'PENDING', reason: undefined, cancel_requested: true })).toBe('Cancelling')
    expect(rowReason({ status: 'PENDING', reason: undefined, cancel_requested: undefined })).toBeUndefined()
    expect(rowReason({ status: 'FILLED', reason: undefined, cancel_requested: true })).toBeUndefined()
  })

  test('[ORD-16] a placed order was refused when it is REJECTED only', () => {
    const reason = { sentence: 'Too large.' }
    expect(rejectionReason({ status: 'REJECTED', reason })).toBe('Too large.')
    expect(rejectionReason({ status: 'FILLED', reason })).toBeUndefined()
    expect(rejectionReason({ status: 'CANCELLED', reason })).toBeUndefined()
    expect(rejectionReason({ status: 'REJECTED', reason: undefined })).toBeUndefined()
  })

  test.each([
    ['REJECTED', 'limit.order-size', true],
    ['CANCELLED', 'cancel.trading-state', true],
    ['CANCELLED', 'cancel.nothing-to-reduce', true],
    ['CANCELLED', 'cancel.strategy-stopped', true],
    ['CANCELLED', undefined, true],
    ['CANCELLED', 'cancel.asked', false],
    ['CANCELLED', 'cancel.strategy', false],
    ['FILLED', 'cancel.trading-state', false],
    ['PENDING', 'cancel.trading-state', false],
  ])('[ORD-14] [ORD-23] whether a %s order with the reason %s shows it is %s', (status, code, isShown) => {
    const shown = rowReason({ status, reason: { code, sentence: 'This is why.' } })
    expect(shown).toBe(isShown ? 'This is why.' : undefined)
  })

  test('[ORD-14] an order without a reason shows none', () => {
    expect(rowReason({ status: 'CANCELLED', reason: undefined })).toBeUndefined()
    expect(rowReason({ status: 'REJECTED', reason: undefined })).toBeUndefined()
  })

  const checks = ['quote_age_ms', 'max_order_size', 'margin'].map((check) => ({ check }))
  const detailOf = (event: string, code: string) => ({
    order: anOrder({ status: 'REJECTED', reason: { code, sentence: 'This is why.' } }),
    steps: [{ at: '2026-01-05T12:00:00.000Z', journal_seq: 4, event, by: null }],
  })

  test.each([
    ['submitted', 'venue.rejected', ['passed', 'passed', 'passed']],
    ['denied', 'limit.order-size', ['passed', 'failed', undefined]],
    ['denied', 'market.stale', ['failed', undefined, undefined]],
    ['denied', 'trading.halted', [undefined, undefined, undefined]],
  ])('[ORD-450] the checks of an order that was %s with %s are %j', (event, code, results) => {
    expect(checkResults(detailOf(event, code), checks)).toEqual(results)
  })

  test('[ORD-34] working orders come first, in the order of the server', () => {
    const listed = [
      anOrder({ id: 'O-4', status: 'FILLED' }),
      anOrder({ id: 'O-3' }),
      anOrder({ id: 'O-2', status: 'CANCELLED' }),
      anOrder({ id: 'O-1' }),
    ]
    expect(workingFirst(listed).map(({ id }) => id)).toEqual(['O-3', 'O-1', 'O-4', 'O-2'])
  })
})
