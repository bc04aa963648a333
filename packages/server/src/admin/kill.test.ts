import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { killLoop } from '#testkit/kill-loop.ts'
import { temporaryFolder } from '#testkit/temporary-folder.ts'

const KILLS = 10

test('[CALL-20] nothing that was saved is lost when the server is killed at that moment, and the chain verifies', async () => {
  let running: ChildProcess | undefined
  onTestFinished(() => void running?.kill('SIGKILL'))
  const dataFolder = join(temporaryFolder(), 'data')
  const report = await killLoop({ dataFolder, kills: KILLS, onStart: (child) => (running = child) })
  expect(report.wrong).toEqual([])
  expect(report.saved).toBeGreaterThanOrEqual(55)
  expect(report.lines).toBeGreaterThanOrEqual(report.saved)
}, 240_000)
