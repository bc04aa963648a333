import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Has the kernel end a process together with the one that started it. */
const SETPRIV = '/usr/bin/setpriv'

/**
 * Starts Node with nothing of our environment. Where the system can, the kernel ends it with us, even in the middle of an
 * endless loop; elsewhere it notices by the end of its questions, when it next looks.
 */
export function spawnBound(args: readonly string[], cwd: string): ChildProcess {
  const whole = [process.execPath, ...args]
  const [program = '', ...rest] = existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'KILL', ...whole] : whole
  return spawn(program, rest, { cwd, env: { TZ: 'UTC' }, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] })
}
