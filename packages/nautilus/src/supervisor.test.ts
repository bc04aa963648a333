import { afterEach, expect, test } from 'vitest'
import { createManualTimers } from '#testkit/manual-timers.ts'
import { NodeSupervisor } from './supervisor.ts'

let supervisor: NodeSupervisor | undefined

afterEach(async () => {
  await supervisor?.close(0)
})

function supervise(script: string, timers = createManualTimers()) {
  const lines: string[] = []
  const notes: string[] = []
  let wake = () => {}
  const add = (list: string[], text: string) => {
    list.push(text)
    wake()
  }
  supervisor = new NodeSupervisor({
    program: process.execPath,
    args: ['-e', script],
    env: {},
    timers,
    onLine: (line) => add(lines, line),
    onWarning: (event, message) => add(notes, `${event}: ${message}`),
  })
  const reach = async (claim: () => boolean) => {
    while (!claim()) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return { lines, notes, timers, reach, supervisor }
}

test('[NAUT-87] a node that ends is started again after 1, 2, 4 and 8 s, and given up the fifth time in 10 minutes', async () => {
  const { notes, timers, reach } = supervise('process.exit(70)')
  for (const [exits, delay] of [1, 2, 4, 8].entries()) {
    await reach(() => notes.length > exits)
    expect(notes[exits]).toBe(`node.ended: The node ended with status 70. It is started again in ${delay} s`)
    timers.advance(delay * 1_000)
  }
  await reach(() => notes.length === 5)
  expect(notes[4]).toContain('node.given-up: The node ended 5 times in 10 minutes, last with status 70.')
  timers.advance(600_000)
  expect(supervisor?.pid).toBeNull()
})

test('[NAUT-88] closing ends the node by its signal, and kills one that does not end', async () => {
  const {
    lines,
    timers,
    reach,
    supervisor: running,
  } = supervise(
    "process.on('SIGTERM', () => console.log('asked')); setInterval(() => {}, 1e6); console.log('up')",
  )
  await reach(() => lines.includes('up'))
  const closed = running.close(5_000)
  await reach(() => lines.includes('asked'))
  expect(running.pid).not.toBeNull()
  timers.advance(5_000)
  await closed
  expect(running.pid).toBeNull()
})

test('[NAUT-89] a node inherits nothing of the console’s environment', async () => {
  const { lines, reach } = supervise('console.log(Object.keys(process.env).join() || "nothing")')
  await reach(() => lines.length > 0)
  expect(lines[0]).toBe('nothing')
})
