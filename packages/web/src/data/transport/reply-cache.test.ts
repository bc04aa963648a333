import { expect, test, vi } from 'vitest'
import { reuseReply } from './reply-cache.ts'

const parse = (text: string) => vi.fn(() => ({ text }))

test('[CLIENT-330] an unchanged reply is parsed once', () => {
  const parsed = parse('a')
  const first = reuseReply('/api/a', 'a', parsed)
  expect(reuseReply('/api/a', 'a', parsed)).toBe(first)
  expect(parsed).toHaveBeenCalledOnce()
  expect(reuseReply('/api/a', 'b', parse('b'))).toEqual({ text: 'b' })
})

test('[CLIENT-330] large replies give way to later ones, the least recently used first', () => {
  const [polled, large] = [parse('polled'), parse('large')]
  const text = 'x'.repeat(3_000_000)
  reuseReply('/api/polled', 'p', polled)
  reuseReply('/api/large/1', text, large)
  reuseReply('/api/large/2', text, large)
  reuseReply('/api/polled', 'p', polled)
  reuseReply('/api/large/3', text, large)
  reuseReply('/api/polled', 'p', polled)
  reuseReply('/api/large/2', text, large)
  expect(polled).toHaveBeenCalledOnce()
  expect(large).toHaveBeenCalledTimes(3)
  reuseReply('/api/large/1', text, large)
  expect(large).toHaveBeenCalledTimes(4)
})
