import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './child.mjs'
import { nodeOf, nodePackage, Stop } from './project.mjs'
import { fingerprint, readStamp, writeStamp } from './stamp.mjs'

/**
 * Installs the packages of the lock file, unless they are installed.
 * @param {string} root
 */
export async function install(root) {
  // npm ci empties node_modules first, and the stamp with it.
  const stampFile = join(root, 'node_modules', '.binnacle-installed')
  const wanted = fingerprint(root, ['package-lock.json'], [process.platform, process.arch])
  if (readStamp(stampFile) === wanted && existsSync(nodeOf(root))) return
  if (!isInstalled(root)) {
    console.log('Installing (first start, about a minute)…')
    await installFromLock(root)
  }
  writeStamp(stampFile, wanted)
}

/**
 * Whether npm's record of node_modules matches the lock file, however it was installed.
 * @param {string} root
 */
export function isInstalled(root) {
  const record = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(record) || !existsSync(nodeOf(root))) return false
  const present = packagesOf(record)
  return Object.entries(packagesOf(join(root, 'package-lock.json')))
    .filter(([path, entry]) => path !== '' && entry.optional !== true)
    .every(([path, entry]) => present[path]?.version === entry.version)
}

/**
 * npm leaves out optional packages that do not fit the Node it runs on, and several build tools are such packages.
 * So npm runs on the project's own Node, which is installed first where the machine's is older.
 * @param {string} root
 */
async function installFromLock(root) {
  const args = ['ci', '--loglevel=error', '--include=dev', '--include=optional', '--no-audit', '--no-fund']
  const { code, output } = await runNpm(root, args, await nodeForNpm(root))
  if (code !== 0) {
    console.error(output.trimEnd())
    throw new Stop('The installation failed. Correct what npm reports above and run the command again.')
  }
  if (!existsSync(nodeOf(root))) {
    throw new Stop(
      "The installation left out this platform's Node. Run npm ci --include=optional and try again.",
    )
  }
}

/**
 * The Node that runs npm: the one it already runs on if that is recent enough, else the project's own in a cache folder.
 * @param {string} root
 */
async function nodeForNpm(root) {
  // Not this process's executable: npm scripts run under the project's Node, which npm ci replaces.
  const machineNode = process.env.npm_node_execpath ?? process.execPath
  const { name, version } = nodePackage(root)
  if ((await majorOf(machineNode)) >= major(version)) return machineNode
  const folder = join(root, '.cache', `node-${version}`)
  const cached = nodeOf(folder)
  if (existsSync(cached)) return cached
  console.log(`Installing Node ${version} for this project…`)
  mkdirSync(folder, { recursive: true })
  // npm installs into the nearest folder with a manifest, which must not be the project's.
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`]
  const { code, output } = await runNpm(folder, args, machineNode)
  if (code === 0 && existsSync(cached)) return cached
  console.error(output.trimEnd())
  throw new Stop(`Node ${version} could not be installed. Correct what npm reports above and try again.`)
}

/**
 * Runs npm on a given Node. The script of npm is started directly, since npm.cmd cannot be spawned on every system.
 * @param {string} cwd
 * @param {string[]} args
 * @param {string} node
 */
function runNpm(cwd, args, node) {
  const { npm_execpath: script } = process.env
  if (script?.endsWith('.js')) return run(node, [script, ...args], { cwd, output: 'captured' })
  return run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { cwd, output: 'captured' })
}

/** @param {string} node */
async function majorOf(node) {
  if (node === process.execPath) return major(process.versions.node)
  const { output } = await run(node, ['--version'], { cwd: '.', output: 'captured' })
  return major(output.trim().replace(/^v/, ''))
}

/** @param {string} version */
function major(version) {
  return Number.parseInt(version, 10)
}

/**
 * @param {string} lockFile
 * @returns {Record<string, { version?: string, optional?: boolean }>}
 */
function packagesOf(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages
}
