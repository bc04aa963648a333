import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './child.mjs'
import { nodeOf, Stop } from './project.mjs'
import { fingerprint, readStamp, writeStamp } from './stamp.mjs'

const SOURCES = [
  'packages/web',
  'packages/contract',
  'ARCHITECTURE.md',
  'docs',
  'tsconfig.base.json',
  'package-lock.json',
]

/** Settings that Vite writes into the built files. */
const SETTINGS = ['VITE_TRADING_API_URL', 'VITE_ADMIN_API_URL']

/** @param {string} root */
export function siteFolder(root) {
  return join(root, 'packages', 'web', 'dist')
}

/**
 * Builds the site unless it was built from the same sources and settings.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @param {{ always?: boolean }} [options]
 */
export async function buildSite(root, env, { always = false } = {}) {
  // Inside the folder that every build empties, so that a manual build removes the stamp.
  const stampFile = join(siteFolder(root), '.vite', 'built-from')
  const wanted = siteFingerprint(root, env)
  const isBuilt = readStamp(stampFile) === wanted && existsSync(join(siteFolder(root), 'index.html'))
  if (isBuilt && !always) return
  console.log('Building the site…')
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const args = [vite, 'build', 'packages/web', '--logLevel', 'warn']
  const { code, output } = await run(nodeOf(root), args, { cwd: root, env, output: 'captured' })
  if (output.trim() !== '') console.error(output.trimEnd())
  if (code !== 0) throw new Stop('Building the site failed: the reason is above.')
  writeStamp(stampFile, wanted)
}

/**
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 */
function siteFingerprint(root, env) {
  const settings = SETTINGS.map((name) => `${name}=${env[name] ?? ''}`)
  return fingerprint(root, SOURCES, settings)
}
