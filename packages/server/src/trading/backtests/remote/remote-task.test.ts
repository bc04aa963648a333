import { join } from 'node:path'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, test } from 'vitest'
import { openResult, sealResult } from './remote-task.ts'
import { openWorkKey, signResult } from './work-key.ts'

test('[BT-301] a signed result that cannot be read is refused like one without a signature', () => {
  const folder = temporaryFolder()
  const { publicKey } = openWorkKey(join(folder, 'work-key.pem'), join(folder, 'work-key.pub'))
  const signed = (text: string) => ({ text, signature: signResult(text, 'run-1', publicKey) })
  expect(openResult(signed('{"worker":1}'), 'run-1', publicKey)).toBeUndefined()
  expect(openResult(signed('no JSON'), 'run-1', publicKey)).toBeUndefined()
  const result = { worker: 'one', ending: { kind: 'stopped' } } as const
  expect(openResult(sealResult(result, 'run-1', publicKey), 'run-1', publicKey)).toEqual(result)
})
