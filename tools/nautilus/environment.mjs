import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../launch/child.mjs'
import { findPython } from './python.mjs'

/** @typedef {{ python: string } | { missing: string }} Environment the interpreter, or why there is no such environment */

const WINDOWS = process.platform === 'win32'

/**
 * Where the environment for the pinned packages is in a folder. Another pin is another environment.
 * @param {string} root
 * @param {string} folder
 */
export function environmentIn(root, folder) {
  const pins = readFileSync(requirementsOf(root))
  return join(folder, `python-${createHash('sha256').update(pins).digest('hex').slice(0, 12)}`)
}

/** @param {string} environment */
function interpreterOf(environment) {
  return WINDOWS ? join(environment, 'Scripts', 'python.exe') : join(environment, 'bin', 'python')
}

/**
 * Whether the installation in an environment was completed.
 * @param {string} environment
 */
export function isComplete(environment) {
  return existsSync(stampOf(environment)) && existsSync(interpreterOf(environment))
}

/**
 * Creates the environment with the pinned packages, unless it is there.
 * @param {string} root
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} env
 * @param {(line: string) => void} say
 * @returns {Promise<Environment>}
 */
export async function ensureEnvironment(root, folder, env, say) {
  const environment = environmentIn(root, folder)
  if (isComplete(environment)) return { python: interpreterOf(environment) }
  const found = await findPython(env)
  if ('missing' in found) return found
  say(`Installing NautilusTrader with ${found.python} (about 35 seconds and 0.7 GB)…`)
  rmSync(environment, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const failure = await createEnvironment(root, environment, found.python, env)
  if (failure !== undefined) return { missing: failure }
  writeStampLast(environment)
  return { python: interpreterOf(environment) }
}

/**
 * Returns the failure, if any. The machine's pip is used where there is one: the environment's own costs seconds, and
 * some systems leave it out.
 * @param {string} root
 * @param {string} environment
 * @param {string} python
 * @param {NodeJS.ProcessEnv} env
 */
async function createEnvironment(root, environment, python, env) {
  const hasPip = await succeeds(python, ['-m', 'pip', '--version'], env)
  const made = await call(python, ['-m', 'venv', ...(hasPip ? ['--without-pip'] : []), environment], env)
  if (made !== undefined) return `the Python environment could not be created: ${made}`
  const own = interpreterOf(environment)
  const [program, pip] = hasPip ? [python, ['-m', 'pip', '--python', own]] : [own, ['-m', 'pip']]
  const options = ['--only-binary=:all:', '--no-deps', '--no-compile', '--no-input', '--quiet']
  const quiet = { ...env, PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_ROOT_USER_ACTION: 'ignore' }
  const installed = await call(program, [...pip, 'install', ...options, '-r', requirementsOf(root)], quiet)
  if (installed !== undefined) return `pip could not install the packages: ${installed}`
  await compile(root, own, env)
  return undefined
}

/**
 * Imports what a node imports, which Python compiles and keeps: a start takes a third of the time. pip would compile
 * every file of the packages. Packages that cannot be imported are reported by the first node.
 * @param {string} root
 * @param {string} python
 * @param {NodeJS.ProcessEnv} env
 */
async function compile(root, python, { PYTHONDONTWRITEBYTECODE: _, PYTHONPYCACHEPREFIX: __, ...env }) {
  const PYTHONPATH = join(root, 'packages', 'nautilus', 'python')
  const modules = 'nautilus_bridge.launcher, nautilus_bridge.backtest_worker'
  await call(python, ['-c', `import ${modules}`], { ...env, PYTHONPATH })
}

/** @param {string} environment */
function writeStampLast(environment) {
  const stamp = stampOf(environment)
  writeFileSync(`${stamp}.new`, 'complete\n')
  renameSync(`${stamp}.new`, stamp)
}

/**
 * The last line of the output of a program that failed.
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
async function call(program, args, env) {
  const { code, output } = await run(program, args, { cwd: '.', env, output: 'captured' })
  return code === 0 ? undefined : (output.trim().split('\n').at(-1) ?? `exit status ${code}`)
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
async function succeeds(program, args, env) {
  return (await call(program, args, env)) === undefined
}

/** @param {string} environment */
function stampOf(environment) {
  return join(environment, 'installed')
}

/** @param {string} root */
function requirementsOf(root) {
  return join(root, 'packages', 'nautilus', 'requirements.txt')
}
