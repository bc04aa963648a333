import { spawn } from 'node:child_process'

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()

/**
 * @typedef {object} Outcome
 * @property {number} code 0 for success; a signal counts as 1
 * @property {string} output what it printed, if captured
 */

/**
 * @typedef {object} RunOptions
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} [env]
 * @property {'shown' | 'captured' | ((chunk: Buffer) => void)} output a function gets it piece by piece
 * @property {number} [timeoutMs]
 */

/**
 * Runs a program to its end.
 * @param {string} program
 * @param {string[]} args
 * @param {RunOptions} options
 * @returns {Promise<Outcome>}
 */
export function run(program, args, { cwd, env, output, timeoutMs }) {
  return new Promise((resolve) => {
    const stdio = output === 'shown' ? 'inherit' : 'pipe'
    const child = spawn(program, args, {
      cwd,
      env: env ?? process.env,
      stdio: ['ignore', stdio, stdio],
      ...(timeoutMs === undefined ? {} : { timeout: timeoutMs, killSignal: 'SIGKILL' }),
    })
    running.add(child)
    let text = ''
    const take =
      typeof output === 'function'
        ? output
        : (/** @type {Buffer} */ chunk) => {
            text += chunk
          }
    child.stdout?.on('data', take)
    child.stderr?.on('data', take)
    /** @param {number} code @param {string} output */
    const end = (code, output) => {
      running.delete(child)
      resolve({ code, output })
    }
    child.on('error', (failure) => end(127, failure.message))
    child.on('close', (code) => end(code ?? 1, text))
  })
}

/** Kills the running children of `run`, so that a signal leaves no process behind. */
export function stopRunning() {
  for (const child of running) child.kill('SIGTERM')
}
