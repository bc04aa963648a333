import { existsSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createProcessMeter } from './process-meter.ts'

const isLinux = existsSync('/proc/self/stat')
const TICK_MS = 10
const LOOP_TIMER_MS = 20

/** The processor time of this process as the kernel counts it, in ms. */
function kernelTimeMs(): number {
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

function kernelResident(): number {
  const pages = /VmRSS:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'latin1'))
  return Number(pages?.[1]) * 1024
}

/** Uses this much processor time, however slow the machine is. */
function burn(ms: number): void {
  const before = process.cpuUsage()
  for (;;) {
    const { user, system } = process.cpuUsage(before)
    if (user + system >= ms * 1000) return
  }
}

/** Longer than the work takes, so that its share stays below 100 %. */
const ELAPSED_MS = 10_000

test.skipIf(!isLinux)('[MON-4] processor and memory agree with the operating system within 5 %', () => {
  let nowMs = 0
  const meter = createProcessMeter(() => nowMs)
  onTestFinished(() => meter.close())
  const kernelBegan = kernelTimeMs()
  meter.read()
  burn(1000)
  nowMs = ELAPSED_MS
  const { processPercent, residentBytes, machinePercent, machineUsedBytes } = meter.read()
  const kernelMs = kernelTimeMs() - kernelBegan
  const measuredMs = (processPercent / 100) * meter.cores * ELAPSED_MS
  expect(Math.abs(measuredMs / kernelMs - 1)).toBeLessThan(0.05)
  expect(Math.abs(residentBytes / kernelResident() - 1)).toBeLessThan(0.05)
  expect(machinePercent).toBeGreaterThan(0)
  expect(machinePercent).toBeLessThanOrEqual(100)
  expect(machineUsedBytes).toBeGreaterThan(0)
})

test('[MON-6] a blocked event loop shows as its delay', async () => {
  const meter = createProcessMeter()
  onTestFinished(() => meter.close())
  // The monitor counts from its first timer after a reading to the timer that the block holds up.
  await expect
    .poll(async () => {
      await setTimeout(LOOP_TIMER_MS * 2)
      const blockedUntil = performance.now() + 200
      while (performance.now() < blockedUntil);
      await setTimeout(LOOP_TIMER_MS * 2)
      return meter.read().loopDelay.maxMs
    })
    .toBeGreaterThan(100)
})
