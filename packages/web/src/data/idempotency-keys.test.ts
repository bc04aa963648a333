import type { ProblemCode } from '@binnacle/contract'
import { expect, test } from 'vitest'
import { ApiError } from './failure.ts'
import { IdempotencyKeyStore } from './idempotency-keys.ts'

function aStore() {
  const store = new IdempotencyKeyStore(`orders.place ${crypto.randomUUID()}`, () => [])
  /** Sends an order that is answered so, and returns its key. */
  async function keyOf(failure?: ApiError): Promise<string> {
    let sentKey = ''
    const answer = store.send({ side: 'BUY' }, async (key) => {
      sentKey = key
      if (failure !== undefined) throw failure
    })
    if (failure === undefined) await answer
    else await expect(answer).rejects.toBe(failure)
    return sentKey
  }
  return { store, keyOf }
}

function problem(status: number, code: ProblemCode, field?: string): ApiError {
  const errors = field === undefined ? {} : { errors: [{ field, message: 'is used' }] }
  const document = { type: code, title: code, status, code, request_id: 'r' }
  return new ApiError(status, '', Object.assign(document, errors))
}

test.each([problem(503, 'engine.halted'), problem(503, 'server.busy'), problem(422, 'request.invalid')])(
  '[ORD-552] after a lost answer a refusal with $status keeps the key',
  async (refusal) => {
    const { store, keyOf } = aStore()
    const first = await keyOf(problem(503, 'engine.unknown'))
    expect(await keyOf(refusal)).toBe(first)
    expect(store.requests()).toEqual([{ side: 'BUY' }])
    expect(await keyOf()).toBe(first)
    expect(store.isUnanswered()).toBe(false)
  },
)

test.each([problem(409, 'key.too-old'), problem(422, 'request.invalid', 'header.idempotency-key')])(
  '[ORD-552] an answer about the key itself, as with $status, decides the earlier order',
  async (refusal) => {
    const { keyOf } = aStore()
    const first = await keyOf(problem(503, 'engine.unknown'))
    expect(await keyOf(refusal)).toBe(first)
    expect(await keyOf()).not.toBe(first)
  },
)

test('[ORD-30] after a refusal alone the next order has a new key', async () => {
  const { store, keyOf } = aStore()
  const first = await keyOf(problem(503, 'engine.halted'))
  expect(store.isUnanswered()).toBe(false)
  expect(await keyOf()).not.toBe(first)
})
