import { NewSweep } from '@binnacle/contract'
import { expect, test } from 'vitest'
import type { BacktestPlan } from './plan.ts'
import { createSweepRun } from './sweep-run.ts'

const REQUEST = NewSweep.parse({
  base: {
    strategy: { type: 'momentum', config: {} },
    instrument: 'BTCUSDT',
    from: '2026-01-05T00:00:00Z',
    to: '2026-01-11T00:00:00Z',
  },
  parameters: { fast_bars: { values: [5, 10, 15] } },
})
const PLAN: BacktestPlan = { request: REQUEST.base, instruments: [], interval: '1m', from: 0, to: 1 }

test('[BT-147] the next set runs while a result is stored, and the end waits for all of them', async () => {
  const happened: string[] = []
  const held = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  const sweep = createSweepRun(
    { id: 1, request: REQUEST, runs: [0, 1, 2].map((set) => ({ set, segment: 0, plan: PLAN })) },
    {
      runner: {
        threads: 1,
        run() {
          happened.push('run')
          if (happened.filter((each) => each === 'run').length === 2) second.resolve()
          return { ended: Promise.resolve({ kind: 'refused', sentence: 'no' }), stop: () => {} }
        },
        keepBars: () => () => {},
      },
      store: {
        begin: async () => {},
        async addResult({ set_number }) {
          await held.promise
          happened.push(`stored ${set_number}`)
        },
        async end(_id, { status }) {
          happened.push(status)
        },
      },
      onFault: (fault) => happened.push(String(fault)),
      after: Promise.resolve(),
    },
  )
  await second.promise
  expect(happened).toEqual(['run', 'run'])
  held.resolve()
  await sweep.ended
  expect(happened).toEqual(['run', 'run', 'stored 0', 'run', 'stored 1', 'stored 2', 'completed'])
})

test('[BT-147] a result that cannot be stored is a fault', async () => {
  const faults: unknown[] = []
  const sweep = createSweepRun(
    { id: 1, request: REQUEST, runs: [0, 1].map((set) => ({ set, segment: 0, plan: PLAN })) },
    {
      runner: {
        threads: 1,
        run: () => ({ ended: Promise.resolve({ kind: 'refused', sentence: 'no' }), stop: () => {} }),
        keepBars: () => () => {},
      },
      store: {
        begin: async () => {},
        addResult: () => Promise.reject(new Error('the disk is full')),
        end: async () => {},
      },
      onFault: (fault) => faults.push(fault),
      after: Promise.resolve(),
    },
  )
  await sweep.ended
  expect(faults).toEqual([new Error('the disk is full')])
})
