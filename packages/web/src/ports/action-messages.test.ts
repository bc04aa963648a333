import { describe, expect, test } from 'vitest'
import { actionMessages } from './action-messages.ts'

describe('messages of an action', () => {
  test('a simulated action says what would be done', () => {
    expect(actionMessages('simulated', 'disconnect', 'Binance')).toEqual({
      starting: 'Simulating: disconnect Binance...',
      done: 'Simulated: Binance would be disconnected',
      failed: 'Failed to disconnect Binance',
    })
  })

  test('a live action says what is done', () => {
    expect(actionMessages('live', 'stop', 'all components')).toEqual({
      starting: 'Stopping all components...',
      done: 'All components stopped',
      failed: 'Failed to stop all components',
      unknown: 'No answer. All components may have been stopped; check the status shown here.',
    })
  })
})
