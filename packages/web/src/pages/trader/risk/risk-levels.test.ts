import { describe, expect, test } from 'vitest'
import { toneOfUse } from '#ui/look/tone.ts'
import { exposurePercent, marginPercent, toneOfExposure } from './risk-levels.ts'

describe('risk levels', () => {
  test.each([
    [18_250.4, 60_000, 30.417333333333335],
    [50_000, 50_000, 100],
    [75_000, 50_000, 150],
    [0, 50_000, 0],
  ])('[RISK-4] %d of %d is %d percent', (total_exposure, max_position_size, percent) => {
    expect(exposurePercent({ total_exposure }, { max_position_size })).toBeCloseTo(percent, 10)
  })

  test.each([
    [300, 700, 30],
    [0, 500, 0],
    [500, 0, 100],
  ])('[RISK-5] %d used beside %d available is %d percent', (margin_used, margin_available, percent) => {
    expect(marginPercent({ margin_used, margin_available })).toBe(percent)
  })

  test('[RISK-6] nothing to divide by reads 0 percent', () => {
    expect(exposurePercent({ total_exposure: 900 }, { max_position_size: 0 })).toBe(0)
    expect(marginPercent({ margin_used: 0, margin_available: 0 })).toBe(0)
  })

  test.each([
    [0, 'good'],
    [60, 'good'],
    [60.01, 'warn'],
    [80, 'warn'],
    [80.01, 'bad'],
    [100, 'bad'],
  ])('[RISK-7] at %d percent the margin bar is %s', (percent, tone) => {
    expect(toneOfUse(percent)).toBe(tone)
  })

  test('the exposure bar turns red with its alert', () => {
    expect(toneOfExposure(90)).toBe('info')
    expect(toneOfExposure(90.01)).toBe('bad')
  })
})
