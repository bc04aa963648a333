import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, test } from 'vitest'
import { socketIn } from './nautilus-engine.ts'

test('[NAUT-150] the socket of a supervised node is in a folder that only its user can enter, under a name that nobody knows', async () => {
  const short = temporaryFolder()
  expect(await socketIn(short)).toMatchObject({ path: join(short, 'node.sock') })
  const long = join(short, 'x'.repeat(120))
  const [first, second] = [await socketIn(long), await socketIn(long)]
  expect(first.path).not.toBe(second.path)
  expect(Buffer.byteLength(first.path)).toBeLessThan(108)
  expect(statSync(dirname(first.path)).mode & 0o777).toBe(0o700)
  await Promise.all([first.remove(), second.remove()])
  expect(statSync(dirname(first.path), { throwIfNoEntry: false })).toBeUndefined()
})
