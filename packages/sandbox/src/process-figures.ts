import { readFileSync } from 'node:fs'

/** Memory and CPU use of a process. Known on Linux only. */
export interface ProcessFigures {
  /** Resident memory in MB, 0 if unknown. */
  readonly memoryMb: number
  /** CPU time in ms, null if unknown. */
  readonly cpuMs: number | null
  /** Whether it waits for something else than the CPU or the disk. */
  readonly isAsleep: boolean
}

/** USER_HZ is 100 on every Linux platform. */
const MS_PER_TICK = 10

export function readProcessFigures(pid: number | undefined): ProcessFigures {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in brackets may contain spaces; user and system time are the 12th and 13th fields after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return {
      memoryMb: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024,
      isAsleep: fields[0] === 'S',
      cpuMs: (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK,
    }
  } catch {
    return { memoryMb: 0, cpuMs: null, isAsleep: false }
  }
}
