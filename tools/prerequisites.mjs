import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { run } from './launch/child.mjs'

/**
 * @typedef {object} Program a program outside node_modules that tests use
 * @property {string} name
 * @property {string} variable the environment variable with its path
 * @property {string} aptPackage
 * @property {string} byHand what to do if it cannot be installed automatically
 * @property {string[]} commands its names on the path
 * @property {string[]} places other usual paths; a star matches any one folder
 * @property {'file' | 'folder'} gives what the variable holds: the path of the program, or of its folder
 */

/** @type {Record<'chromium' | 'postgresql' | 'redis', Program>} */
export const PROGRAMS = {
  chromium: {
    name: 'Chromium',
    variable: 'BINNACLE_CHROMIUM',
    // Chromium without windows: the same engine, for a sixth less processor time in the journeys.
    aptPackage: 'chromium-headless-shell',
    byHand: 'install Chromium or Google Chrome',
    commands: [
      'chromium-headless-shell',
      'chromium',
      'chromium-browser',
      'google-chrome-stable',
      'google-chrome',
    ],
    places: [
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      'C:/Program Files/Google/Chrome/Application/chrome.exe',
      'C:/Program Files (x86)/Google/Chrome/Application/chrome.exe',
    ],
    gives: 'file',
  },
  postgresql: {
    name: 'PostgreSQL',
    variable: 'BINNACLE_POSTGRES_BIN',
    aptPackage: 'postgresql',
    byHand: 'install the PostgreSQL server (postgresql)',
    // Tests need all programs of one version, which a single client or link on the path does not have.
    commands: [],
    places: [
      '/usr/lib/postgresql/*/bin/postgres',
      '/usr/pgsql-*/bin/postgres',
      '/usr/bin/postgres',
      '/usr/local/bin/postgres',
      '/opt/homebrew/opt/postgresql*/bin/postgres',
      '/usr/local/opt/postgresql*/bin/postgres',
      '/Applications/Postgres.app/Contents/Versions/*/bin/postgres',
      'C:/Program Files/PostgreSQL/*/bin/postgres.exe',
    ],
    gives: 'folder',
  },
  redis: {
    name: 'Redis',
    variable: 'BINNACLE_REDIS_SERVER',
    aptPackage: 'redis-server',
    byHand: 'install the Redis server (redis)',
    commands: ['redis-server'],
    places: ['/opt/homebrew/bin/redis-server', '/usr/local/bin/redis-server'],
    gives: 'file',
  },
}

/** @typedef {keyof typeof PROGRAMS} ProgramId */

/**
 * Finds the programs that tests use and installs missing ones where possible.
 * @param {Program[]} programs
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ env: NodeJS.ProcessEnv, missing: string[], mayBeMissing: boolean }>} missing: one sentence each
 */
export async function prepareMachine(programs, env) {
  const absent = programs.filter((program) => find(program, env) === undefined)
  const obstacle = absent.length === 0 ? undefined : await installWithApt(absent, env)
  /** @type {NodeJS.ProcessEnv} */
  const found = {}
  const missing = []
  for (const program of programs) {
    const place = find(program, env)
    if (place === undefined) missing.push(adviceFor(program, obstacle))
    else found[program.variable] = place
  }
  return { env: found, missing, mayBeMissing: Boolean(env[NO_INSTALL]) }
}

/**
 * @param {Program} program
 * @param {NodeJS.ProcessEnv} env
 */
export function find(program, env) {
  const configured = env[program.variable]
  if (configured) return existsSync(configured) ? configured : undefined
  const onPath = program.commands.flatMap((command) => placesOnPath(command, env))
  const places = [...onPath, ...program.places.flatMap(expand)]
  const file = places.find((place) => isExecutable(place) && runs(place))
  return file !== undefined && program.gives === 'folder' ? dirname(file) : file
}

/**
 * @param {Program} program
 * @param {string | undefined} obstacle
 */
export function adviceFor(program, obstacle) {
  const why = obstacle === undefined ? '' : ` (${obstacle})`
  const variable = `or set its path in ${program.variable}`
  return `${program.name} is not on this machine and could not be installed${why}: ${program.byHand}, ${variable}.`
}

/**
 * Returns the reason of a failure, else undefined.
 * @param {Program[]} programs
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string | undefined>}
 */
async function installWithApt(programs, env) {
  if (env[NO_INSTALL]) return `${NO_INSTALL} is set`
  const apt = placesOnPath('apt-get', env).find(isExecutable)
  if (apt === undefined) return 'there is no apt-get here'
  const asRoot = await rootPrefix(env)
  if (asRoot === undefined) return 'this needs root, or sudo without a password'
  const packages = programs.map((program) => program.aptPackage)
  console.log(
    `The tests need ${listOf(programs)}. Installing the system packages ${packages.join(', ')} with apt-get (${NO_INSTALL}=1 skips this)…`,
  )
  const steps = [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
  ]
  for (const step of steps) {
    const [program = apt, ...args] = [...asRoot, 'env', 'DEBIAN_FRONTEND=noninteractive', apt, ...step]
    const { code, output } = await run(program, args, { cwd: '/', env, output: 'captured' })
    if (code !== 0) return `apt-get ${step[0]} says: ${lastLine(output)}`
  }
  return undefined
}

/** Set it to run only the tests whose programs are already on the machine. */
const NO_INSTALL = 'BINNACLE_NO_SYSTEM_INSTALL'

/** @param {Program[]} programs */
function listOf(programs) {
  return programs.map(({ name }) => name).join(', ')
}

/** @param {NodeJS.ProcessEnv} env */
async function rootPrefix(env) {
  if (process.getuid?.() === 0) return []
  const { code } = await run('sudo', ['-n', 'true'], { cwd: '/', env, output: 'captured', timeoutMs: 10_000 })
  return code === 0 ? ['sudo', '-n'] : undefined
}

/** @param {string} output */
function lastLine(output) {
  return output.trim().split('\n').at(-1) ?? ''
}

/**
 * @param {string} command
 * @param {NodeJS.ProcessEnv} env
 */
function placesOnPath(command, env) {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.map((folder) => join(folder, command))
}

/**
 * Newest version first.
 * @param {string} pattern
 * @returns {string[]}
 */
function expand(pattern) {
  const parts = pattern.split('/')
  const at = parts.findIndex((part) => part.includes('*'))
  if (at === -1) return [pattern]
  const folder = parts.slice(0, at).join('/') || '/'
  const prefix = (parts[at] ?? '').replace('*', '')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((name) => [folder, name, ...parts.slice(at + 1)].join('/'))
}

/**
 * Some systems have a stub of that name that only prints how to install the program.
 * @param {string} file
 */
function runs(file) {
  // There Chrome would open a window to print its version.
  if (process.platform === 'win32') return true
  return spawnSync(file, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
