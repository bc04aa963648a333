import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder, writeFiles } from '../testkit/temporary-folder.ts'
import { ensureEnvironment, environmentIn, isComplete } from './environment.mjs'

const PINS = 'packages/nautilus/requirements.txt'

/** Answers as Python, venv and pip do, and notes what it imports; `fail` in its folder makes pip fail. */
const PYTHON = `#!/bin/sh
here=$(dirname "$0")
case "$*" in
  "-c import nautilus"*) echo "$PYTHONDONTWRITEBYTECODE$*" >> "$here/imports" ;;
  -c*) echo 3.11 ;;
  *venv*) for last; do :; done; mkdir -p "$last/bin"; cp "$0" "$last/bin/python" ;;
  *install*) echo "$*" >> "$here/calls"; if [ -e "$here/fail" ]; then echo "ERROR: no network" >&2; exit 1; fi ;;
esac
`

test.runIf(process.platform === 'linux')(
  '[NAUT-3] the pinned packages are installed once, and again after a failure or a change of the pins',
  async () => {
    const root = temporaryFolder({ [PINS]: 'a==1\n', python: PYTHON, fail: '' })
    const python = join(root, 'python')
    chmodSync(python, 0o755)
    const folder = join(root, 'data', 'nautilus')
    const env = { ...process.env, BINNACLE_PYTHON: python, PYTHONDONTWRITEBYTECODE: '1' }
    const setUp = () => ensureEnvironment(root, folder, env, () => {})
    const calls = () => readFileSync(join(root, 'calls'), 'utf8').trim().split('\n')

    expect(await setUp()).toEqual({ missing: 'pip could not install the packages: ERROR: no network' })
    const first = environmentIn(root, folder)
    expect(isComplete(first)).toBe(false)

    writeFiles(root, { python: PYTHON.replace('-e "$here/fail"', '-e /nowhere') })
    expect(await setUp()).toEqual({ python: join(first, 'bin', 'python') })
    expect(await setUp()).toEqual({ python: join(first, 'bin', 'python') })
    expect(calls()).toHaveLength(2)
    expect(calls()[1]).toContain(`--only-binary=:all:`)
    expect(calls()[1]).toContain(join(root, PINS))

    // Compiled once for all nodes, whatever the environment says about it.
    expect(readFileSync(join(first, 'bin', 'imports'), 'utf8')).toBe(
      '-c import nautilus_bridge.launcher, nautilus_bridge.backtest_worker\n',
    )

    writeFiles(root, { [PINS]: 'a==2\n' })
    const second = environmentIn(root, folder)
    expect(second).not.toBe(first)
    await setUp()
    expect(isComplete(second)).toBe(true)
    expect(existsSync(first)).toBe(true)
  },
)
