import { join } from 'node:path'
import { generated } from '@binnacle/engine/testkit'
import { temporaryFolder } from '@binnacle/stores/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSamplesStore, type Resolution, type SamplePoint } from './samples-store.ts'

/** 2026-01-01T00:00:00Z, less a little, so that days and hours begin within a history. */
const START = 1_767_225_600 - 50
const DAY = 86_400

type Act =
  | { kind: 'samples'; count: number; names: readonly string[]; values: readonly number[] }
  /** Nothing is recorded meanwhile; a negative one is a clock that steps back. */
  | { kind: 'pause'; seconds: number }
  | { kind: 'reopen' }
  | { kind: 'read' }

const NAMES = ['a', 'b', 'c']

const samples: fc.Arbitrary<Act> = fc.record({
  kind: fc.constant('samples' as const),
  count: fc.integer({ min: 1, max: 150 }),
  names: fc.subarray(NAMES),
  values: fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 1, maxLength: 20 }),
})
const pause = (min: number, max: number): fc.Arbitrary<Act> =>
  fc.record({ kind: fc.constant('pause' as const), seconds: fc.integer({ min, max }) })
const other: fc.Arbitrary<Act> = fc.constantFrom({ kind: 'reopen' }, { kind: 'read' })

const forward = fc.array(fc.oneof(samples, pause(1, 200), pause(1, 30_000), other), { maxLength: 25 })
const anyClock = fc.array(fc.oneof(samples, pause(-500, 500), other), { maxLength: 25 })

/** The samples as a plain list, without any table or roll-up. */
class Model {
  #now = START
  readonly all: { at: number; name: string; value: number }[] = []

  get now(): number {
    return this.#now
  }

  advance(seconds: number): void {
    this.#now += seconds
  }

  record(name: string, value: number): void {
    this.all.push({ at: this.#now, name, value })
  }

  /** Of repeated seconds the last value counts. */
  points(name: string, stepS: number, from: number): SamplePoint[] {
    const seconds = new Map(this.all.filter((each) => each.name === name).map(({ at, value }) => [at, value]))
    const groups = Map.groupBy(
      [...seconds].filter(([at]) => at >= from).toSorted(([one], [two]) => one - two),
      ([at]) => Math.floor(at / stepS) * stepS,
    )
    return [...groups].map(([at, group]) => {
      const values = group.map(([, value]) => value)
      return { at, last: values.at(-1) ?? 0, low: Math.min(...values), high: Math.max(...values) }
    })
  }
}

function play(
  acts: readonly Act[],
  check: (store: ReturnType<typeof openSamplesStore>, model: Model) => void,
) {
  const file = join(temporaryFolder(), 'samples.sqlite')
  const model = new Model()
  let store = openSamplesStore(file)
  try {
    for (const act of acts) {
      if (act.kind === 'reopen') {
        store.close()
        store = openSamplesStore(file)
      } else if (act.kind === 'read') {
        store.read(NAMES, rangeOf(60))
      } else if (act.kind === 'pause') {
        model.advance(act.seconds)
      } else {
        for (let index = 0; index < act.count; index += 1) {
          model.advance(1)
          const value = act.values[index % act.values.length] ?? 0
          for (const name of act.names) model.record(name, value)
          store.add({ at: model.now, values: new Map(act.names.map((name) => [name, value])) })
        }
      }
    }
    check(store, model)
  } finally {
    store.close()
  }
}

const rangeOf = (resolutionS: Resolution, stepS: number = resolutionS) => ({
  from: START - DAY,
  to: START + 20 * DAY,
  resolutionS,
  stepS,
})

test('[SAMPLE-2] [SAMPLE-3] minutes and hours equal those of a plain list, gaps included, across restarts', () => {
  fc.assert(
    fc.property(forward, (acts) => {
      play(acts, (store, model) => {
        for (const name of NAMES) {
          for (const [resolutionS, stepS] of [
            [60, 60],
            [60, 300],
            [3600, 3600],
            [3600, 7200],
          ] as const) {
            const found = store.read([name], rangeOf(resolutionS, stepS)).get(name)
            expect(found).toEqual(model.points(name, stepS, 0))
          }
          // Seconds are pruned when a minute ends, so up to a minute more than a day is there.
          const seconds = store.read([name], rangeOf(1)).get(name) ?? []
          const recent = model.points(name, 1, model.now - DAY)
          expect(seconds.slice(seconds.length - recent.length)).toEqual(recent)
        }
      })
    }),
    generated('sampleHistories'),
  )
})

test('[SAMPLE-5] with a clock that steps back, seconds have the latest values and no interval is lost or invented', () => {
  fc.assert(
    fc.property(anyClock, (acts) => {
      play(acts, (store, model) => {
        for (const name of NAMES) {
          expect(store.read([name], rangeOf(1)).get(name)).toEqual(model.points(name, 1, 0))
          for (const resolutionS of [60, 3600] as const) {
            const found = store.read([name], rangeOf(resolutionS)).get(name) ?? []
            const expected = model.points(name, resolutionS, 0)
            expect(found.map(({ at, last }) => [at, last])).toEqual(
              expected.map(({ at, last }) => [at, last]),
            )
            const written = model.all.filter((each) => each.name === name)
            for (const [index, { at, low, high }] of found.entries()) {
              const values = written
                .filter((each) => each.at >= at && each.at < at + resolutionS)
                .map(({ value }) => value)
              expect(low).toBeLessThanOrEqual(expected[index]?.low ?? 0)
              expect(high).toBeGreaterThanOrEqual(expected[index]?.high ?? 0)
              expect(low).toBeGreaterThanOrEqual(Math.min(...values))
              expect(high).toBeLessThanOrEqual(Math.max(...values))
            }
          }
        }
      })
    }),
    generated('sampleHistories'),
  )
})
