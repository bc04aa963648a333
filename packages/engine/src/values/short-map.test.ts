import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ShortMap } from './short-map.ts'

test('a short map holds what a map holds, in the same order, few keys or many', () => {
  const step = fc.tuple(
    fc.constantFrom('set', 'set', 'set', 'delete', 'deleteFirst'),
    fc.integer({ min: 0, max: 30 }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const short = new ShortMap<string, number>()
      const whole = new Map<string, number>()
      steps.forEach(([act, number], value) => {
        const key = `O-${number}`
        if (act === 'set') short.set(key, value)
        else if (act === 'delete') short.delete(key)
        else short.deleteFirst()
        if (act === 'set') whole.set(key, value)
        else whole.delete(act === 'delete' ? key : ([...whole.keys()][0] ?? ''))
        expect([short.size, short.has(key), short.get(key)]).toEqual([
          whole.size,
          whole.has(key),
          whole.get(key),
        ])
      })
      expect([...short]).toEqual([...whole])
      expect([...short.values()]).toEqual([...whole.values()])
    }),
  )
})
