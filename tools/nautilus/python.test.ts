import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testkit/temporary-folder.ts'
import { findObstacle, findPython } from './python.mjs'

const LINUX = { platform: 'linux', arch: 'x64', glibc: '2.36', release: '6.1' }

test.each([
  ['a current Linux', LINUX, undefined],
  ['glibc 2.31', { ...LINUX, glibc: '2.31' }, /glibc 2\.35 or later; this system has 2\.31/],
  ['another C library', { platform: 'linux', arch: 'x64', release: '6.1' }, /another C library/],
  ['macOS 15', { platform: 'darwin', arch: 'arm64', release: '24.1.0' }, undefined],
  ['macOS 14', { platform: 'darwin', arch: 'arm64', release: '23.6.0' }, /macOS 15/],
  ['an Intel Mac', { platform: 'darwin', arch: 'x64', release: '24.1.0' }, /Apple silicon/],
  ['Windows', { platform: 'win32', arch: 'x64', release: '10.0' }, undefined],
])('[NAUT-2] packages for %s', (_, machine, obstacle) => {
  if (obstacle === undefined) expect(findObstacle(machine)).toBeUndefined()
  else expect(findObstacle(machine)).toMatch(obstacle)
})

test.runIf(process.platform !== 'win32')(
  '[NAUT-2] the newest Python that has packages is found; one that only prints how to install it is not',
  async () => {
    const folder = pythons({ 'python3.13': 'exit 127', 'python3.12': 'echo 3.12', python3: 'echo 3.11' })
    expect(await findPython({ PATH: folder }, LINUX)).toEqual({ python: 'python3.12' })
    const configured = { PATH: folder, BINNACLE_PYTHON: join(folder, 'python3') }
    expect(await findPython(configured, LINUX)).toEqual({ python: configured.BINNACLE_PYTHON })
  },
)

test.runIf(process.platform !== 'win32')(
  '[NAUT-2] without a fitting Python the search says what to do',
  async () => {
    const folder = pythons({ python3: 'echo 3.10' })
    const missing = 'Python 3.11 to 3.13 not found; install it or set BINNACLE_PYTHON'
    expect(await findPython({ PATH: folder }, LINUX)).toEqual({ missing })
    const configured = { PATH: folder, BINNACLE_PYTHON: 'python3' }
    expect(await findPython(configured, LINUX)).toEqual({
      missing: 'BINNACLE_PYTHON (python3) is not Python 3.11 to 3.13',
    })
  },
)

function pythons(scripts: Record<string, string>): string {
  const files = Object.entries(scripts).map(([name, body]) => [name, `#!/bin/sh\n${body}\n`])
  const folder = temporaryFolder(Object.fromEntries(files))
  for (const name of Object.keys(scripts)) chmodSync(join(folder, name), 0o755)
  return folder
}
