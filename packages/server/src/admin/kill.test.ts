import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { countOf, temporaryFolder } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { killLoop } from '#testkit/kill-loop.ts'

const KILLS = countOf('adminKills')
/** The loop kills after 1 change, then after 2, up to 15. */
const SAVED_AT_LEAST = Array.from({ length: KILLS }, (_, kill) => 1 + (kill % 15)).reduce(
  (sum, saved) => sum + saved,
  0,
)

test(
  '[CALL-20] [FEAT-7] [SET-18] acknowledged changes survive a kill of the server, and the chain verifies',
  async () => {
    let running: ChildProcess | undefined
    onTestFinished(() => void running?.kill('SIGKILL'))
    const dataFolder = join(temporaryFolder(), 'data')
    const report = await killLoop({ dataFolder, kills: KILLS, onStart: (child) => (running = child) })
    expect(report.wrong).toEqual([])
    expect(report.saved).toBeGreaterThanOrEqual(SAVED_AT_LEAST)
    expect(report.lines).toBeGreaterThanOrEqual(report.saved)
  },
  300_000 + KILLS * 20_000,
)
