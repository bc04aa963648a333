import { describe, expect, test } from 'vitest'
import { aComponent } from '#testkit/trading.ts'
import { countOnline } from './engine-card.tsx'

describe('components online', () => {
  test('[TRD-4] running and active count, nothing else does', () => {
    const statuses = ['running', 'active', 'paused', 'stopped', 'error', 'RUNNING', 'warming']
    expect(countOnline(statuses.map((status) => aComponent({ status })))).toBe(2)
    expect(countOnline([])).toBe(0)
  })
})
