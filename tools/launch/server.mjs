import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { nodeOf } from './project.mjs'
import { siteFolder } from './site.mjs'

const GRACE_MS = 15_000

/**
 * @typedef {object} ServerProcess
 * @property {() => void} stop stops it; a second call is ignored
 * @property {Promise<number>} exitCode
 */

/**
 * Runs the server until it ends.
 * @param {string} root
 * @param {{ env: NodeJS.ProcessEnv, nodeArgs?: string[], source?: string }} options the source is within the server's package
 * @returns {ServerProcess}
 */
export function runServer(root, { env, nodeArgs = [], source = 'main.ts' }) {
  const preload = pathToFileURL(join(root, 'tools', 'launch', 'stop-with-parent.mjs')).href
  const main = join(root, 'packages', 'server', 'src', source)
  const isWindows = process.platform === 'win32'
  const child = spawn(nodeOf(root), ['--import', preload, ...nodeArgs, main], {
    cwd: root,
    env: {
      BINNACLE_SITE: siteFolder(root),
      BINNACLE_DATA: join(root, 'data'),
      // Sources run without a build; the cache saves stripping and compiling them again.
      NODE_COMPILE_CACHE: join(root, '.cache', 'node'),
      ...env,
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Its own process group: Ctrl-C reaches it once, through this process, and not from the terminal as well.
    detached: !isWindows,
  })
  let isStopping = false
  const stop = () => {
    if (isStopping) return
    isStopping = true
    if (isWindows) child.disconnect()
    else child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref()
  }
  return { stop, exitCode: endOf(child, () => isStopping) }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {() => boolean} isStopping
 * @returns {Promise<number>}
 */
function endOf(child, isStopping) {
  return new Promise((resolve) => {
    child.on('error', (failure) => {
      console.error(`The server could not be started: ${failure.message}.`)
      resolve(1)
    })
    child.on('exit', (code, signal) => {
      // Before the server handles SIGTERM, the signal ends the process, as requested.
      if (signal === 'SIGTERM' && isStopping()) return resolve(0)
      if (signal !== null) console.error(`The server was ended by ${signal}.`)
      return resolve(code ?? 1)
    })
  })
}
