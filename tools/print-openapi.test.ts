import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './launch/project.mjs'
import { start } from './testkit/program.ts'
import { temporaryFolder } from './testkit/temporary-folder.ts'

const SCRIPT = join(ROOT, 'tools/print-openapi.ts')
const STALE = 'docs/openapi.json does not match the contract: run npm run openapi and commit the file.\n'

test('a printed file passes the check, and one with another role does not', async () => {
  const file = join(temporaryFolder(), 'openapi.json')
  expect(await run(file)).toEqual({ code: 0, output: '' })
  expect(await run(file, '--check')).toEqual({ code: 0, output: '' })
  const printed = readFileSync(file, 'utf8')
  writeFileSync(file, printed.replace('"x-required-role": "trader"', '"x-required-role": "viewer"'))
  expect(await run(file, '--check')).toEqual({ code: 1, output: STALE })
})

test('the check catches a missing file and does not write it', async () => {
  const file = join(temporaryFolder(), 'openapi.json')
  expect(await run(file, '--check')).toEqual({ code: 1, output: STALE })
  expect(existsSync(file)).toBe(false)
})

async function run(...args: string[]) {
  const program = start(SCRIPT, args)
  const code = await program.ended
  return { code, output: program.output() }
}
