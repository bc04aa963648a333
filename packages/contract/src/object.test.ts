import { expect, test, vi } from 'vitest'
import * as z from 'zod'
import { object } from './object.ts'

test('parsing an object whose optional part is absent costs no guard against cycles', () => {
  const Part = object(() => ({ name: z.string() }))
  const Whole = object(() => ({ id: z.string(), part: Part.optional() }))
  const guards = vi.fn()
  vi.stubGlobal(
    'WeakMap',
    class extends WeakMap {
      constructor() {
        super()
        guards()
      }
    },
  )
  for (let time = 0; time < 3; time++) expect(Whole.parse({ id: 'a', more: 1 })).toEqual({ id: 'a' })
  expect(guards).not.toHaveBeenCalled()
})
