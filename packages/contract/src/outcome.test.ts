import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { Failed, failureUnlessTrue, Succeeded, successUnlessFalse } from './outcome.ts'

describe('the outcome of a change', () => {
  const reply = successUnlessFalse(Succeeded)

  test.each([undefined, null, '', [], {}, { success: true }, { success: 1 }, { success: null }, { id: 4 }])(
    '[CLIENT-4] %j is a success',
    (sent) => {
      expect(reply.parse(sent)).toEqual({ success: true })
    },
  )

  test.each([{ success: false }, { success: 0 }])('[CLIENT-4] %j is a failure', (sent) => {
    expect(reply.parse(sent)).toEqual({ success: false })
  })

  test('a failure keeps its error', () => {
    expect(reply.parse({ success: false, error: 'locked' })).toEqual({ success: false, error: 'locked' })
    expect(reply.parse({ success: false, error: null })).toEqual({ success: false })
  })
})

describe('the verdict of a trial', () => {
  const reply = failureUnlessTrue(Succeeded.extend({ response_time: z.number() }), Failed)

  test('[API-14] a success carries its figures, and without them is no reply', () => {
    expect(reply.parse({ success: true, response_time: 42 })).toEqual({ success: true, response_time: 42 })
    expect(reply.safeParse({ success: true }).success).toBe(false)
  })

  test.each([{}, undefined, { success: false }, { success: null }, { success: 0 }])(
    '[API-16] %j was answered without success',
    (sent) => {
      expect(reply.parse(sent)).toEqual({ success: false })
    },
  )
})
