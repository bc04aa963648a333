import { expect, test } from 'vitest'
import { errorOfRun, freeName, membersOf } from './module-source.ts'

test('[EDIT-1] members of the desk and of a bar are offered', () => {
  const types = `export interface Bar {
  readonly close: number
}
/** The desk. */
export interface Desk {
  /** Market time. */
  readonly now: number
  bid(instrument?: string): number
}
`
  expect(membersOf(types)).toEqual({ desk: ['now', 'bid'], bar: ['close'], quote: [] })
})

test('[EDIT-5] the error of a run is at the line of the module', () => {
  const sentence = 'mine.ts failed: TypeError: x is not a function (mine.ts:7)'
  expect(errorOfRun(sentence, 'mine.ts')).toEqual({ message: sentence, line: 7 })
  expect(errorOfRun('mine.ts did not answer within 1000 ms', 'mine.ts')).toMatchObject({ line: null })
  expect(errorOfRun(sentence, 'other.ts')).toBeUndefined()
  expect(errorOfRun(null, 'mine.ts')).toBeUndefined()
})

test('[EDIT-1] a new module has a name that is free', () => {
  expect(freeName([])).toBe('mine.ts')
  expect(freeName(['mine.ts', 'mine-2.ts'])).toBe('mine-3.ts')
})
