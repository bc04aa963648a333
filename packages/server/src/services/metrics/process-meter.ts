import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, freemem, totalmem } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** What the operating system says of this process and its machine, since the reading before. */
export interface ProcessFigures {
  readonly processPercent: number
  readonly machinePercent: number
  readonly residentBytes: number
  readonly heapBytes: number
  readonly machineUsedBytes: number
  readonly loopDelay: { readonly p50Ms: number; readonly p99Ms: number; readonly maxMs: number }
}

export interface ProcessMeter {
  readonly cores: number
  readonly machineBytes: number
  /** Reads everything. Rates count from the reading before. */
  read(): ProcessFigures
  close(): void
}

const LOOP_RESOLUTION_MS = 20

/** `now` is the time in ms, for tests. */
export function createProcessMeter(now = () => performance.now()): ProcessMeter {
  const cores = availableParallelism()
  const machineBytes = memoryLimit()
  const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS })
  loop.enable()
  let before = { at: now(), cpu: process.cpuUsage(), machine: readMachineTimes() }

  return {
    cores,
    machineBytes,
    read() {
      const current = { at: now(), cpu: process.cpuUsage(), machine: readMachineTimes() }
      const elapsedUs = Math.max(1, (current.at - before.at) * 1000)
      const usedUs = current.cpu.user - before.cpu.user + current.cpu.system - before.cpu.system
      const total = current.machine.total - before.machine.total
      const busy = current.machine.busy - before.machine.busy
      const figures = {
        processPercent: percentOf(usedUs, elapsedUs * cores),
        machinePercent: percentOf(busy, total),
        residentBytes: process.memoryUsage.rss(),
        heapBytes: process.memoryUsage().heapUsed,
        machineUsedBytes: totalmem() - freemem(),
        loopDelay: {
          p50Ms: delayMs(loop.percentile(50)),
          p99Ms: delayMs(loop.percentile(99)),
          maxMs: delayMs(loop.max),
        },
      }
      loop.reset()
      before = current
      return figures
    },
    close: () => void loop.disable(),
  }
}

function percentOf(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.min(100, Math.max(0, (part / whole) * 100))
}

/** The monitor records the time between two of its timers, in nanoseconds. */
function delayMs(betweenTimersNs: number): number {
  return Math.max(0, betweenTimersNs / 1e6 - LOOP_RESOLUTION_MS)
}

/** A container may have less than its machine. */
function memoryLimit(): number {
  const limit = process.constrainedMemory()
  return limit > 0 && limit < totalmem() ? limit : totalmem()
}

interface MachineTimes {
  busy: number
  total: number
}

/** Linux has the sum of all processors in one line; reading each processor is slow on a large machine. */
function readMachineTimes(): MachineTimes {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'latin1').split('\n', 1)
    // user, nice, system, idle, iowait, irq, softirq, steal; guest times are in user already.
    const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0, steal = 0] = line
      .split(/ +/)
      .slice(1)
      .map(Number)
    const busy = user + nice + system + irq + soft + steal
    return { busy, total: busy + idle + wait }
  } catch {
    return timesOfProcessors()
  }
}

function timesOfProcessors(): MachineTimes {
  const sums = { busy: 0, total: 0 }
  for (const { times } of cpus()) {
    const busy = times.user + times.nice + times.sys + times.irq
    sums.busy += busy
    sums.total += busy + times.idle
  }
  return sums
}
