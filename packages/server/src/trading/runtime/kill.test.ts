import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { countOf, testSeed } from '@binnacle/stores/testkit'
import { expect, test, vi } from 'vitest'
import { COMPILED } from '#testkit/compiled.ts'

const HARNESS = join(import.meta.dirname, '../../../../../bench/kill.ts')
const KILLS = countOf('deskKills')

// Each kill is a start of a server, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000 + KILLS * 30_000 })

test('[CALL-32] of what was acknowledged nothing is lost, doubled or untold when the server is killed under load', async () => {
  const harness = await promisify(execFile)(process.execPath, [HARNESS, String(KILLS), String(testSeed())], {
    env: { ...process.env, ...COMPILED },
  }).catch((failed: { stdout: string }) => failed)
  expect(harness.stdout).toMatch(new RegExp(`kills under load +│ ${KILLS} `))
  expect(harness.stdout).toMatch(/lost, doubled or otherwise +│ 0 /)
  expect(harness.stdout).not.toContain('WRONG')
})
