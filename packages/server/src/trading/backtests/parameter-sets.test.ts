import { NewSweep } from '@binnacle/contract'
import { describe, expect, test } from 'vitest'
import { Refused } from '#http/problems.ts'
import { requestOfSet, segmentsOf, setsOf } from './parameter-sets.ts'

function aSweep(part: object) {
  return NewSweep.parse({
    base: {
      strategy: { type: 'custom', config: { module: 'a.ts', parameters: { bars: 3, kind: 'x' } } },
      from: '2026-01-01T00:00:00Z',
      to: '2026-01-10T00:00:00Z',
      seed: 5,
    },
    parameters: { a: { from: 0.1, to: 0.5, step: 0.2 }, b: { values: [1, 2] } },
    ...part,
  })
}

const labelOf = (name: string) => `Label of ${name}`

describe('the sets of a sweep', () => {
  test('[BT-37] are every combination, the last parameter changing fastest', () => {
    expect(setsOf(aSweep({}), labelOf)).toEqual({
      names: ['a', 'b'],
      sets: [
        [0.1, 1],
        [0.1, 2],
        [0.3, 1],
        [0.3, 2],
        [0.5, 1],
        [0.5, 2],
      ],
    })
  })

  test('[BT-37] drawn at random are different ones, the same for the same seed', () => {
    const wide = { a: { from: 1, to: 100, step: 1 }, b: { from: 1, to: 100, step: 1 } }
    const drawn = setsOf(aSweep({ parameters: wide, random_sets: 50 }), labelOf)
    if (drawn instanceof Refused) throw new Error(drawn.detail)
    expect(new Set(drawn.sets.map(String)).size).toBe(50)
    expect(setsOf(aSweep({ parameters: wide, random_sets: 50 }), labelOf)).toEqual(drawn)
    const all = setsOf(aSweep({ random_sets: 50 }), labelOf)
    expect(all).toEqual(setsOf(aSweep({}), labelOf))
  })

  test.each([
    [{ a: { from: 1, to: 100, step: 1 }, b: { from: 1, to: 100, step: 1 } }, 'body.parameters', '10000 sets'],
    [
      { a: { from: 2, to: 1, step: 1 } },
      'body.parameters.a',
      'The values of Label of a end before they begin.',
    ],
    [{ a: { from: 0, to: 1, step: 0.001 } }, 'body.parameters.a', 'Label of a has more than 200 values.'],
  ])('[BT-37] [BT-142] of %j are refused by field', (parameters, field, text) => {
    const refused = setsOf(aSweep({ parameters }), labelOf)
    expect(refused).toBeInstanceOf(Refused)
    expect(refused).toMatchObject({ errors: [{ field, message: expect.stringContaining(text) }] })
  })

  test('[BT-37] change parameters of the strategy, and those of a custom module', () => {
    const { base } = aSweep({})
    const { strategy } = requestOfSet(base, ['warm_up_bars', 'parameters.bars'], [7, 9])
    expect(strategy.config).toEqual({ module: 'a.ts', warm_up_bars: 7, parameters: { bars: 9, kind: 'x' } })
  })
})

test('[BT-40] windows move on by the length out of the sample, which follow one another', () => {
  const segments = segmentsOf(aSweep({ windows: 6 }))
  expect(segments).toHaveLength(12)
  const day = (text: string) => Date.parse(text) / 86_400_000 - Date.UTC(2026, 0, 1) / 86_400_000
  expect(
    segments.slice(0, 4).map(({ window, part, from, to }) => [window, part, day(from), day(to)]),
  ).toEqual([
    [0, 'in', 0, 3],
    [0, 'out', 3, 4],
    [1, 'in', 1, 4],
    [1, 'out', 4, 5],
  ])
  expect(segments.at(-1)).toMatchObject({ part: 'out', to: '2026-01-10T00:00:00.000Z' })
})
