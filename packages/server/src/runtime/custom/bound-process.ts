import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/** Has the kernel end a process together with the one that started it. */
const SETPRIV = '/usr/bin/setpriv'
/** A tenth of the share of others: a module that thinks hard must not slow orders by hand. */
const NICENESS = 10

/**
 * Starts Node with nothing of our environment. Where the system can, the kernel ends it with us, even in the middle of an
 * endless loop; elsewhere it notices by the end of its questions, when it next looks.
 */
export function spawnBound(args: readonly string[], cwd: string): ChildProcess {
  const whole = [process.execPath, ...args]
  const [program = '', ...rest] = existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'KILL', ...whole] : whole
  return spawn(program, rest, {
    cwd,
    env: { TZ: 'UTC' },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    // A session of its own: Ctrl C on the terminal is meant for the server, which then ends its children itself.
    detached: true,
  })
}

/** Puts a process behind the others; where that cannot be, it stays an equal. */
export function putBehind({ pid }: ChildProcess): void {
  if (pid === undefined) return
  attempt(() => setPriority(pid, NICENESS))
  // Linux shares the processor between sessions before it looks at priorities within one.
  attempt(() => writeFileSync(`/proc/${pid}/autogroup`, String(NICENESS)))
}

function attempt(act: () => void): void {
  try {
    act()
  } catch {
    // Nothing depends on it.
  }
}
