import { retainedBytes } from '@binnacle/stores/testkit'
import { expect, test } from 'vitest'
import { ReplayBuffer } from './replay-buffer.ts'

const MIB = 1024 * 1024

const change = (seq: number, bytes: number) => ({
  seq,
  topic: 'orders' as const,
  frame: Buffer.allocUnsafeSlow(bytes),
})

test('[STREAM-300] frames that can no longer be replayed are released', async () => {
  const buffer = new ReplayBuffer()
  const before = await retainedBytes()
  for (let seq = 1; seq <= 200; seq++) buffer.add(change(seq, MIB))
  // The latest 4 MiB stay; 200 MiB were published.
  expect((await retainedBytes()) - before).toBeLessThan(20 * MIB)
  expect(buffer.oldestSeq).toBe(197)
  expect(buffer.after(196)?.map(({ seq }) => seq)).toEqual([197, 198, 199, 200])
})

test('[STREAM-300] replays exactly what followed a seq, across many dropped changes', () => {
  const buffer = new ReplayBuffer()
  for (let seq = 1; seq <= 17_000; seq++) buffer.add(change(seq, 1))
  expect(buffer.oldestSeq).toBe(12_001)
  expect(buffer.after(12_000)).toHaveLength(5_000)
  expect(buffer.after(11_999)).toBeUndefined()
  expect(buffer.after(16_998)?.map(({ seq }) => seq)).toEqual([16_999, 17_000])
  expect(buffer.after(17_000)).toEqual([])
  buffer.clear(17_000)
  expect(buffer.after(16_999)).toBeUndefined()
  expect(buffer.after(17_000)).toEqual([])
})
