import { expect, test } from 'vitest'
import { DEFAULT_RISK_LIMITS, RiskLimits, risk } from './risk.ts'

const metrics = {
  total_exposure: 25_000,
  margin_used: 5_000,
  margin_available: 20_000,
  max_drawdown: 2.5,
  var_1d: 1_200,
  position_count: 3,
}
const limits = { max_order_size: 10_000, max_position_size: 50_000, max_daily_loss: 5_000, max_positions: 10 }

test('[CALL-17] the metrics are exposure, margin, drawdown, value at risk and position count', () => {
  expect(risk.metrics.reply.parse(metrics)).toEqual(metrics)
  for (const field of Object.keys(metrics).filter((name) => name !== 'var_1d')) {
    expect(risk.metrics.reply.safeParse({ ...metrics, [field]: undefined }).success).toBe(false)
  }
})

test('[RISK-8] the value at risk may be null', () => {
  expect(risk.metrics.reply.parse({ ...metrics, var_1d: null })).toEqual({ ...metrics, var_1d: null })
})

test('[RISK-10] the default limits are 10000, 50000, 5000 and 10', () => {
  expect(DEFAULT_RISK_LIMITS).toEqual(limits)
})

test('[RISK-16] a stored limit may be unset', () => {
  const unset = { ...limits, max_positions: null }
  expect(risk.limits.reply.parse(unset)).toEqual(unset)
  expect(risk.limits.reply.parse({})).toEqual({})
})

test('[RISK-12] a save sends all four limits, max_positions as a whole number', () => {
  expect(RiskLimits.parse(limits)).toEqual(limits)
  const wrong = [
    { max_positions: 2.5 },
    { max_daily_loss: undefined },
    { max_order_size: '1' },
    { max_leverage: 3 },
  ]
  for (const change of wrong) expect(RiskLimits.safeParse({ ...limits, ...change }).success).toBe(false)
})

test('our server refuses limits below zero', () => {
  for (const field of Object.keys(limits)) {
    expect(RiskLimits.safeParse({ ...limits, [field]: -1 }).success).toBe(false)
    expect(RiskLimits.safeParse({ ...limits, [field]: 0 }).success).toBe(true)
  }
})
