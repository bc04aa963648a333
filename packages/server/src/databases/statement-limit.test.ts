import { expect, test } from 'vitest'
import { withTimeLimit } from './statement-limit.ts'

const GONE = 'The client left before the statement began.'

test('[STORE-300] work of a client that has already left does not begin', async () => {
  let isBegun = false
  const work = async () => {
    isBegun = true
  }
  await expect(withTimeLimit(1000, work, AbortSignal.abort())).rejects.toThrow(GONE)
  expect(isBegun).toBe(false)
})

test('[STORE-561] a client that leaves cancels its work', async () => {
  const client = new AbortController()
  const work = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  const running = withTimeLimit(60_000, work, client.signal)
  client.abort()
  await expect(running).rejects.toThrow('The statement was cancelled.')
})
