import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { deskPaths } from '#testkit/desk-paths.ts'
import { endPreparedThread, prepareEngineThread, startEngineThread } from './engine-thread.ts'

function anEngine() {
  const thread = startEngineThread({ paths: deskPaths(), seed: 1, daily: [] })
  onTestFinished(async () => void (await thread.terminate()))
  return thread
}

test('[START-131] the first engine runs on the prepared thread, the next on one of its own', async () => {
  const prepared = prepareEngineThread()
  const first = anEngine()
  const second = anEngine()
  expect(first).toBe(prepared)
  expect(second).not.toBe(prepared)
  const [[opened]] = await Promise.all([once(first, 'message'), once(second, 'message')])
  expect(opened).toMatchObject({ kind: 'opened' })
})

test('[START-131] a prepared thread that no engine uses is ended', async () => {
  const exited = once(prepareEngineThread(), 'exit')
  await endPreparedThread()
  await exited
})
