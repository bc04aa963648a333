import { release } from 'node:os'
import { run } from '../launch/child.mjs'

/** Versions that have wheels of the pinned packages. */
const NAMES = ['python3.13', 'python3.12', 'python3.11', 'python3']
const SUPPORTED = /^3\.1[1-3]$/

/** The first macOS with wheels is 15, whose kernel is 24. */
const OLDEST_DARWIN = 24
const OLDEST_GLIBC = [2, 35]

/** @typedef {{ python: string } | { missing: string }} PythonSearch `missing` says what is not there and what to do */

/**
 * Finds a Python that can run NautilusTrader on this machine.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<PythonSearch>}
 */
export async function findPython(env, machine = thisMachine()) {
  const obstacle = findObstacle(machine)
  if (obstacle !== undefined) return { missing: obstacle }
  const configured = env.BINNACLE_PYTHON
  for (const name of configured ? [configured] : NAMES) {
    const version = await versionOf(name, env)
    if (SUPPORTED.test(version)) return { python: name }
    if (configured) return { missing: `BINNACLE_PYTHON (${configured}) is not Python 3.11 to 3.13` }
  }
  return { missing: 'Python 3.11 to 3.13 not found; install it or set BINNACLE_PYTHON' }
}

/**
 * @typedef {object} Machine
 * @property {string} platform
 * @property {string} arch
 * @property {string} [glibc] its version; absent with another C library
 * @property {string} release of the kernel
 */

/**
 * Returns why there are no wheels for a machine.
 * @param {Machine} machine
 */
export function findObstacle({ platform, arch, glibc, release }) {
  if (platform === 'linux') {
    if (glibc === undefined)
      return 'NautilusTrader needs glibc 2.35 or later; this system has another C library'
    const [major = 0, minor = 0] = glibc.split('.').map(Number)
    const [oldestMajor = 0, oldestMinor = 0] = OLDEST_GLIBC
    const isOld = major < oldestMajor || (major === oldestMajor && minor < oldestMinor)
    return isOld ? `NautilusTrader needs glibc 2.35 or later; this system has ${glibc}` : undefined
  }
  if (platform === 'darwin') {
    const isNew = arch === 'arm64' && Number.parseInt(release, 10) >= OLDEST_DARWIN
    return isNew ? undefined : 'NautilusTrader needs macOS 15 or later on Apple silicon'
  }
  return platform === 'win32' && arch === 'x64'
    ? undefined
    : `NautilusTrader has no packages for ${platform} ${arch}`
}

/** @returns {Machine} */
function thisMachine() {
  const { platform, arch } = process
  const machine = { platform, arch, release: release() }
  if (platform !== 'linux') return machine
  // Typed as an object only.
  const report = /** @type {{ header?: { glibcVersionRuntime?: string } }} */ (process.report.getReport())
  const glibc = report.header?.glibcVersionRuntime
  return glibc === undefined ? machine : { ...machine, glibc }
}

/**
 * @param {string} name
 * @param {NodeJS.ProcessEnv} env
 */
async function versionOf(name, env) {
  const code = 'import sys; print("%d.%d" % sys.version_info[:2])'
  const { code: status, output } = await run(name, ['-c', code], {
    cwd: '.',
    env,
    output: 'captured',
    timeoutMs: 20_000,
  })
  return status === 0 ? output.trim() : ''
}
