import { describe, expect, it } from 'vitest'
import { healthDetail, toneOfHealth } from './health-view.ts'

describe('health of a service', () => {
  it.each([
    ['HTTP 503', 'HTTP 503'],
    ['Failed to fetch', 'Failed to fetch'],
    ['', 'Connection failed'],
    [null, 'Connection failed'],
    [undefined, 'Connection failed'],
  ])('[API-9] an unhealthy service with the error %j shows %s', (error, text) => {
    expect(healthDetail({ status: 'unhealthy', error })).toBe(text)
  })

  it('says how fast a healthy service answered, and nothing while it is checked', () => {
    expect(healthDetail({ status: 'healthy', response_time: 12 })).toBe('12 ms')
    expect(healthDetail({ status: 'healthy' })).toBeUndefined()
    expect(healthDetail({ status: 'checking' })).toBeUndefined()
  })

  it.each([
    ['healthy', 'good'],
    ['unhealthy', 'bad'],
    ['checking', 'calm'],
    ['unknown', 'warn'],
  ] as const)('%s has the tone %s', (status, tone) => {
    expect(toneOfHealth({ status })).toBe(tone)
  })
})
