import { describe, expect, test } from 'vitest'
import { draftOf, isStored, limitsFrom, limitsInForce } from './limits.ts'

const typed = { max_order_size: '1', max_position_size: '1', max_daily_loss: '1', max_positions: '1' }

describe('risk limits', () => {
  test('[RISK-10] defaults apply until limits are loaded', () => {
    const defaults = {
      max_order_size: 10_000,
      max_position_size: 50_000,
      max_daily_loss: 5_000,
      max_positions: 10,
    }
    expect(limitsInForce(undefined)).toEqual(defaults)
    expect(limitsInForce({ max_order_size: null, max_positions: 0 })).toEqual({
      ...defaults,
      max_positions: 0,
    })
    expect(isStored({ max_positions: 0 }, 'max_positions')).toBe(true)
    expect(isStored({ max_positions: null }, 'max_positions')).toBe(false)
    expect(isStored(undefined, 'max_positions')).toBe(false)
  })

  test('[RISK-11] three limits are decimals, the last a whole number', () => {
    const draft = {
      max_order_size: '12500.75',
      max_position_size: '60000.5',
      max_daily_loss: '0.01',
      max_positions: '8.9',
    }
    expect(limitsFrom(draft)).toEqual({
      max_order_size: 12_500.75,
      max_position_size: 60_000.5,
      max_daily_loss: 0.01,
      max_positions: 8,
    })
  })

  test('[RISK-11] no bounds are set', () => {
    expect(limitsFrom({ ...typed, max_daily_loss: '-5', max_positions: '-3' })).toMatchObject({
      max_daily_loss: -5,
      max_positions: -3,
    })
    expect(limitsFrom({ ...typed, max_positions: '1e3' }).max_positions).toBe(1000)
  })

  test('a draft holds the limits as a person would type them', () => {
    expect(draftOf(limitsInForce({ max_order_size: 12_500.5 }))).toEqual({
      max_order_size: '12500.5',
      max_position_size: '50000',
      max_daily_loss: '5000',
      max_positions: '10',
    })
  })
})
