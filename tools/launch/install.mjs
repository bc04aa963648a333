import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './child.mjs'
import { nodeOf, Stop } from './project.mjs'
import { fingerprint, readStamp, writeStamp } from './stamp.mjs'

/**
 * Brings node_modules to the lock file's state; does nothing when it is there already.
 * @param {string} root
 */
export async function install(root) {
  // npm ci empties node_modules first, so the stamp goes with what it vouches for.
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
 * Whether npm's own record of node_modules agrees with the lock file, whoever ran the install.
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

/** @param {string} root */
async function installFromLock(root) {
  const args = ['ci', '--loglevel=error', '--include=dev', '--include=optional', '--no-audit', '--no-fund']
  const { program, before } = npm()
  const { code, output } = await run(program, [...before, ...args], { cwd: root, output: 'kept' })
  if (code !== 0) {
    console.error(output.trimEnd())
    throw new Stop('Installing failed: npm says why above; mend that and run the command again.')
  }
  if (!existsSync(nodeOf(root))) {
    throw new Stop(
      'Installing left out the Node of this platform: run npm ci --include=optional and try again.',
    )
  }
}

/** npm as the script that started us, since npm.cmd cannot be spawned everywhere, under the Node that runs it. */
function npm() {
  const { npm_execpath: script, npm_node_execpath: node } = process.env
  // Not our own executable: npm scripts run under the project's Node, which npm ci is about to replace.
  if (script?.endsWith('.js')) return { program: node ?? process.execPath, before: [script] }
  return { program: process.platform === 'win32' ? 'npm.cmd' : 'npm', before: [] }
}

/**
 * @param {string} lockFile
 * @returns {Record<string, { version?: string, optional?: boolean }>}
 */
function packagesOf(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages
}
