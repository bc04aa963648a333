import { describe, expect, test } from 'vitest'
import { healthDetail, toneOfHealth } from './services-list.tsx'

describe('health of a service', () => {
  test.each([
    ['HTTP 503', 'HTTP 503'],
    ['Failed to fetch', 'Failed to fetch'],
    ['', 'Connection failed'],
    [null, 'Connection failed'],
    [undefined, 'Connection failed'],
  ])('[API-9] [API-29] an unhealthy service with the error %j shows %s', (error, text) => {
    expect(healthDetail({ status: 'unhealthy', error })).toBe(text)
  })

  test('shows the response time of a healthy service, and nothing during the check', () => {
    expect(healthDetail({ status: 'healthy', response_time: 12 })).toBe('12 ms')
    expect(healthDetail({ status: 'healthy' })).toBeUndefined()
    expect(healthDetail({ status: 'checking' })).toBeUndefined()
  })

  test.each([
    ['healthy', 'good'],
    ['unhealthy', 'bad'],
    ['checking', 'calm'],
    ['unknown', 'warn'],
  ] as const)('%s has the tone %s', (status, tone) => {
    expect(toneOfHealth({ status })).toBe(tone)
  })
})
