import type { StrategyType } from '@binnacle/contract'
import { describe, expect, test } from 'vitest'
import { blankTexts, requestOf } from './run-form.ts'
import {
  BLANK_SWEEP,
  countRuns,
  parseRange,
  requestOfSet,
  sweepRequestOf,
  sweptParameters,
} from './sweep-form.ts'
import { aSweep } from './testkit.ts'

const custom: StrategyType = {
  type: 'custom',
  title: 'Custom',
  about: '',
  earns_when: '',
  loses_when: '',
  parameters: [
    { name: 'instruments', kind: 'instruments', sentence: '', default: ['BTCUSDT'] },
    { name: 'warm_up_bars', label: 'Warm-up bars', kind: 'integer', sentence: '', default: 20 },
    { name: 'parameters', kind: 'json', sentence: '', default: { bars: 5, side: 'long' } },
  ],
}

describe('the form of a sweep', () => {
  test.each([
    ['20..80 by 5', { from: 20, to: 80, step: 5 }],
    [' 0.5 … 2 by 0.5', { from: 0.5, to: 2, step: 0.5 }],
    ['1 to 3 by 1', { from: 1, to: 3, step: 1 }],
    ['20, 40,80', { values: [20, 40, 80] }],
    ['7', { values: [7] }],
    ['20..80', undefined],
    ['1..2 by 0', undefined],
    ['a, b', undefined],
    ['1,,2', undefined],
  ])('[BT-37] reads %j as %j', (text, range) => {
    expect(parseRange(text)).toEqual(range)
  })

  test('[BT-37] offers numbers of the strategy and of the JSON of a custom module', () => {
    expect(sweptParameters(custom, blankTexts(custom, []))).toEqual([
      { name: 'warm_up_bars', label: 'Warm-up bars' },
      { name: 'parameters.bars', label: 'bars' },
    ])
  })

  test('[BT-37] counts runs, and leaves swept parameters to the sets', () => {
    const ranges = { warm_up_bars: '10..20 by 5', 'parameters.bars': '1, 2, 3, 4' }
    const sweep = { ...BLANK_SWEEP, ranges, windows: '2' }
    expect(countRuns(sweep)).toBe(48)
    expect(countRuns({ ...sweep, windows: '', randomSets: '5' })).toBe(5)
    expect(countRuns({ ...sweep, ranges: { warm_up_bars: 'x' } })).toBeUndefined()
    const texts = { ...blankTexts(custom, []), from: '2026-01-01', to: '2026-01-02' }
    const run = requestOf(texts, custom)
    if ('errors' in run) throw new Error('The run is complete')
    expect(sweepRequestOf(run.request, sweep)).toEqual({
      request: {
        base: {
          ...run.request,
          strategy: { type: 'custom', config: { parameters: { bars: 5, side: 'long' } } },
        },
        parameters: {
          warm_up_bars: { from: 10, to: 20, step: 5 },
          'parameters.bars': { values: [1, 2, 3, 4] },
        },
        measure: 'sharpe',
        windows: 2,
      },
    })
    const wrong = { ...sweep, ranges: { warm_up_bars: 'x' }, patience: '0' }
    expect(sweepRequestOf(run.request, wrong)).toMatchObject({
      errors: {
        'parameters.warm_up_bars': expect.stringContaining('values such as'),
        patience: expect.stringContaining('whole number'),
      },
    })
    expect(sweepRequestOf(run.request, BLANK_SWEEP)).toMatchObject({
      errors: { parameters: 'Type values for at least one parameter.' },
    })
  })

  test('[BT-43] a set of the sweep goes back into the form', () => {
    const { strategy } = requestOfSet(aSweep(), 2)
    expect(strategy.config).toMatchObject({ fast_bars: 20, slow_bars: 50 })
  })
})
