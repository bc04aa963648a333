import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const PACKAGE = join(import.meta.dirname, '..')

/** The folder of the bridge, for PYTHONPATH. */
export const BRIDGE_FOLDER = join(PACKAGE, 'python')

/** The version of NautilusTrader that an interpreter has, or null. */
export async function readVersion(python: string): Promise<string | null> {
  const script = "import importlib.metadata as found; print(found.version('nautilus_trader'))"
  // Without a network and without loading it, this takes some milliseconds.
  const run = promisify(execFile)(python, ['-I', '-B', '-c', script], { env: {} })
  return run.then(
    ({ stdout }) => stdout.trim(),
    () => null,
  )
}

/** The interpreter that `npm run nautilus -- setup` installed in a folder, or null. Another pin is another environment. */
export function findPython(folder: string): string | null {
  const pins = readFileSync(join(PACKAGE, 'requirements.txt'))
  const environment = join(folder, `python-${createHash('sha256').update(pins).digest('hex').slice(0, 12)}`)
  const interpreter = join(
    environment,
    ...(process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python']),
  )
  // The installation writes its stamp last.
  return existsSync(join(environment, 'installed')) && existsSync(interpreter) ? interpreter : null
}
