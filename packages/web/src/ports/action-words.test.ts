import { describe, expect, it } from 'vitest'
import { actionWords } from './action-words.ts'

describe('what is said of an act', () => {
  it('a simulated act says what would be done, since nothing is', () => {
    expect(actionWords('simulated', 'disconnect', 'Binance')).toEqual({
      starting: 'Simulating: disconnect Binance...',
      done: 'Simulated: Binance would be disconnected',
      failed: 'Failed to disconnect Binance',
    })
  })

  it('a live act says what is done', () => {
    expect(actionWords('live', 'stop', 'all components')).toEqual({
      starting: 'Stopping all components...',
      done: 'All components stopped',
      failed: 'Failed to stop all components',
    })
  })
})
