import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/** Makes the kernel kill a process when its parent exits. */
const SETPRIV = '/usr/bin/setpriv'
/** About a tenth of the CPU share of others, so that a busy module does not slow manual orders. */
const NICENESS = 10

/**
 * Starts Node with an empty environment. On Linux the kernel kills it when this process exits, even in an endless loop;
 * elsewhere it exits when its standard input ends.
 */
export function spawnBound(args: readonly string[], cwd: string): ChildProcess {
  const whole = [process.execPath, ...args]
  const [program = '', ...rest] = existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'KILL', ...whole] : whole
  return spawn(program, rest, {
    cwd,
    env: { TZ: 'UTC' },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    // In its own session, so that Ctrl C reaches only the server, which then ends its children.
    detached: true,
  })
}

/** Lowers the CPU priority, where the system supports it. */
export function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return
  attempt(() => setPriority(pid, NICENESS))
  // Linux divides the CPU between sessions (autogroups) before it applies priorities within one.
  attempt(() => writeFileSync(`/proc/${pid}/autogroup`, String(NICENESS)))
}

function attempt(work: () => void): void {
  try {
    work()
  } catch {
    // Optional.
  }
}
