import { describe, expect, it } from 'vitest'
import { aComponent } from '#testkit/trading.ts'
import { countOnline } from './components-online.ts'

describe('components online', () => {
  it('[TRD-4] running and active count, nothing else does', () => {
    const statuses = ['running', 'active', 'paused', 'stopped', 'error', 'RUNNING', 'warming']
    expect(countOnline(statuses.map((status) => aComponent({ status })))).toBe(2)
    expect(countOnline([])).toBe(0)
  })
})
