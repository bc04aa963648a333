import { readFileSync } from 'node:fs'

/** What a process holds and has used, as far as the system tells: elsewhere than on Linux neither is known. */
export interface ProcessFigures {
  /** Megabytes in memory, 0 when not known. */
  readonly heldMb: number
  /** Milliseconds of the processor's time, null when not known. */
  readonly usedMs: number | null
}

/** The kernel counts in hundredths of a second, whatever its own clock does. */
const MS_PER_TICK = 10

export function lookAtProcess(pid: number | undefined): ProcessFigures {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in brackets may hold anything; user and system time are the 12th and 13th figures after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return {
      heldMb: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024,
      usedMs: (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK,
    }
  } catch {
    return { heldMb: 0, usedMs: null }
  }
}
