import { DEFAULT_RISK_LIMITS, type RiskMetrics } from '@binnacle/contract'
import { describe, expect, test } from 'vitest'
import { riskMetrics } from '#testkit/trading.ts'
import { limitsInForce } from './limits.ts'
import { alertsFor } from './risk-alerts.ts'

/** Margin and exposure in percent of 1000 and of the default 50,000. */
function alertsAt({ margin = 55, exposure = 55, positions = 0 }): string[] {
  return titles({
    margin_used: margin * 10,
    margin_available: 1000 - margin * 10,
    total_exposure: exposure * 500,
    position_count: positions,
  })
}

function titles(given: Partial<RiskMetrics>, limits = DEFAULT_RISK_LIMITS): string[] {
  return alertsFor(riskMetrics(given), limits).map(({ title }) => title)
}

describe('risk alerts', () => {
  test('[RISK-101] frozen figures are not normal, and what they raised stays', () => {
    const alertsOf = (given: Partial<RiskMetrics>) =>
      alertsFor(riskMetrics(given), DEFAULT_RISK_LIMITS, { isLive: true, isFrozen: true }).map(
        ({ title, text }) => [title, text],
      )
    const frozen = [
      'Risk figures are frozen',
      'They are from before a component was stopped and raise no new alert.',
    ]
    const calm = { margin_used: 1, margin_available: 99, total_exposure: 0 }
    expect(alertsOf({ ...calm, position_count: 0 })).toEqual([frozen])
    expect(alertsOf({ ...calm, position_count: 10 })).toEqual([
      ['Max Positions Reached', '10 positions are open, 10 are allowed.'],
      frozen,
    ])
  })

  test.each([
    [79.9, false],
    [80, false],
    [80.1, true],
    [100, true],
  ])('[RISK-15] whether %d percent margin alerts is %s', (margin, expected) => {
    expect(alertsAt({ margin }).includes('High Margin Usage')).toBe(expected)
  })

  test.each([
    [9, false],
    [10, true],
    [11, true],
  ])('[RISK-16] whether %d positions of 10 alert is %s', (positions, expected) => {
    expect(alertsAt({ positions }).includes('Max Positions Reached')).toBe(expected)
  })

  test('[RISK-16] an unset maximum reads as 10, a stored one as itself', () => {
    const at = (count: number, max_positions: number | null) =>
      alertsFor(riskMetrics({ position_count: count }), limitsInForce({ max_positions })).some(
        ({ title }) => title === 'Max Positions Reached',
      )
    expect([at(9, null), at(10, null)]).toEqual([false, true])
    expect([at(2, 3), at(3, 3)]).toEqual([false, true])
    expect(at(0, 0)).toBe(true)
  })

  test.each([
    [89.9, false],
    [90, false],
    [90.1, true],
    [140, true],
  ])('[RISK-17] whether %d percent exposure alerts is %s', (exposure, expected) => {
    expect(alertsAt({ exposure }).includes('Critical Exposure Level')).toBe(expected)
  })

  test.each([
    [49.9, 49.9, true],
    [50, 49.9, false],
    [49.9, 50, false],
    [50, 50, false],
    [0, 0, true],
  ])('[RISK-18] whether %d margin and %d exposure are normal is %s', (margin, exposure, expected) => {
    expect(alertsAt({ margin, exposure }).includes('All Systems Normal')).toBe(expected)
  })

  test('[RISK-19] each alert depends on its own condition alone', () => {
    expect(alertsAt({ margin: 55, exposure: 55 })).toEqual([])
    expect(alertsAt({ margin: 81, exposure: 91, positions: 10 }).toSorted()).toEqual([
      'Critical Exposure Level',
      'High Margin Usage',
      'Max Positions Reached',
    ])
    expect(alertsAt({ margin: 10, exposure: 10, positions: 10 }).toSorted()).toEqual([
      'All Systems Normal',
      'Max Positions Reached',
    ])
  })

  test('[RISK-15] [RISK-17] [RISK-18] the alerts say what the specification has them say', () => {
    const said = (given: Partial<RiskMetrics>) =>
      alertsFor(riskMetrics(given), DEFAULT_RISK_LIMITS).map(({ text }) => text)
    expect(said({ margin_used: 90, margin_available: 10 })).toContain(
      'Margin usage is above 80%. Consider reducing exposure.',
    )
    expect(said({ total_exposure: 49_000 })).toContain(
      'Total exposure is above 90% of maximum. Immediate action required.',
    )
    expect(said({})).toEqual(['Risk metrics are within acceptable ranges.'])
  })

  test('[RISK-43] with a live backend normal metrics are not mentioned beside another alert', () => {
    const full = riskMetrics({
      position_count: 10,
      total_exposure: 100,
      margin_used: 1,
      margin_available: 99,
    })
    const shown = (isLive: boolean) =>
      alertsFor(full, DEFAULT_RISK_LIMITS, { isLive }).map(({ title }) => title)
    expect(shown(true)).toEqual(['Max Positions Reached'])
    expect(shown(false)).toEqual(['Max Positions Reached', 'All Systems Normal'])
  })
})
