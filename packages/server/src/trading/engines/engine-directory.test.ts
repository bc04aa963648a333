import { expect, test } from 'vitest'
import { EngineDirectory } from './engine-directory.ts'

test('[ENGS-300] each new reason why an engine cannot be reached is logged once', async () => {
  const lines: string[] = []
  const directory = new EngineDirectory(
    [{ name: 'second', kind: 'nautilus', traderId: 'TRADER-001' }],
    (event, message) => lines.push(`${event} ${message}`),
  )
  const reasons = ['connection refused', 'connection refused', 'the token is wrong', 'the token is wrong']
  const open = async () => {
    const reason = reasons.shift()
    if (reason !== undefined) throw new Error(reason)
  }
  await directory.reach('second', new AbortController().signal, open, 0)
  expect(lines).toEqual([
    'engine.unreachable second: connection refused',
    'engine.unreachable second: the token is wrong',
  ])
})
