import fc from 'fast-check'
import { expect, test } from 'vitest'
import { generated } from '#testkit/generated.ts'
import { ShortMap } from './short-map.ts'

type Maps = { short: ShortMap<string, number>; whole: Map<string, number> }

const ACTS: Record<'set' | 'delete' | 'deleteFirst', (maps: Maps, key: string, value: number) => void> = {
  set({ short, whole }, key, value) {
    short.set(key, value)
    whole.set(key, value)
  },
  delete({ short, whole }, key) {
    short.delete(key)
    whole.delete(key)
  },
  deleteFirst({ short, whole }) {
    short.deleteFirst()
    for (const [first] of [...whole].slice(0, 1)) whole.delete(first)
  },
}

test('a short map holds what a map holds, in the same order, few keys or many', () => {
  const act = fc.constantFrom('set', 'set', 'set', 'delete', 'deleteFirst')
  const step = fc.tuple(act, fc.integer({ min: 0, max: 30 }))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const maps: Maps = { short: new ShortMap(), whole: new Map() }
      const { short, whole } = maps
      steps.forEach(([act, number], value) => {
        const key = `O-${number}`
        ACTS[act](maps, key, value)
        expect([short.size, short.has(key), short.get(key)]).toEqual([
          whole.size,
          whole.has(key),
          whole.get(key),
        ])
      })
      expect([...short]).toEqual([...whole])
      expect([...short.values()]).toEqual([...whole.values()])
    }),
    generated('cases'),
  )
})
