import { expect, test } from 'vitest'
import { Refused } from '#http/problems.ts'
import { QueueLimit } from './queue-limit.ts'

function taken(leave: (() => void) | Refused): () => void {
  if (leave instanceof Refused) throw new Error(leave.detail)
  return leave
}

test('[BT-140] sweeps and backtests are counted together until they have ended', () => {
  const limit = new QueueLimit({ max: 3, maxSweeps: 2 })
  const first = taken(limit.takeSweep())
  taken(limit.takeSweep())
  expect(limit.takeSweep()).toMatchObject({
    detail: '2 sweeps are queued or running, and no more can be. Cancel some, or wait until some have ended.',
  })
  taken(limit.takeBacktest())
  const full = { code: 'backtest.queue-full', detail: expect.stringMatching(/^1 backtest and 2 sweeps are /) }
  expect(limit.takeBacktest()).toMatchObject(full)
  expect(limit.takeSweep()).toMatchObject(full)
  first()
  first()
  taken(limit.takeBacktest())
  expect(limit.takeBacktest()).toMatchObject({
    detail: expect.stringMatching(/^2 backtests and 1 sweep are /),
  })
})
