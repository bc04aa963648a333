import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

const PARENT_LOOK_MS = 250

/**
 * Calls back on Ctrl-C, kill, a closed terminal, or when npm has exited.
 * @param {() => void} onStop
 */
export function onStopSignal(onStop) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onStop)
  if (process.env.npm_lifecycle_event !== undefined) whenOrphaned(onStop)
}

/**
 * npm passes SIGTERM to the shell between it and this process, and the shell exits without passing it on. If npm is
 * killed, the shell stays and waits, but gets another parent. The parent of npm may exit.
 * @param {() => void} onStop
 */
function whenOrphaned(onStop) {
  const parent = process.ppid
  const npm = isShellBetween(parent) ? parentOf(parent) : undefined
  const look = setInterval(() => {
    const isNpmThere = npm === undefined || parentOf(parent) === npm
    if (process.ppid === parent && isNpmThere) return
    clearInterval(look)
    onStop()
  }, PARENT_LOOK_MS)
  look.unref()
}

/**
 * Whether a process is a shell that runs this program; npm itself is not.
 * @param {number} pid
 */
function isShellBetween(pid) {
  const [, option, command] = readProcess(pid, 'cmdline').split('\0')
  return option === '-c' && command !== undefined && command.includes(basename(process.argv[1] ?? ''))
}

/**
 * The parent of another process; undefined where the system does not provide it.
 * @param {number} pid
 * @returns {number | undefined}
 */
function parentOf(pid) {
  // The name in parentheses may contain spaces and parentheses; state and parent follow the last one.
  const [, parent] = /\) \S (\d+) [^)]*$/.exec(readProcess(pid, 'stat')) ?? []
  return parent === undefined ? undefined : Number(parent)
}

/**
 * @param {number} pid
 * @param {'cmdline' | 'stat'} what
 */
function readProcess(pid, what) {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8')
  } catch {
    return ''
  }
}
