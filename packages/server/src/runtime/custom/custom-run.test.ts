import { expect, test } from 'vitest'
import type { Heard, IntentTold } from './child/protocol.ts'
import type { CustomChild } from './custom-child.ts'
import { CustomRun } from './custom-run.ts'
import { ModuleFailure } from './module-failure.ts'

const BUY: IntentTold = { type: 'target', slot: 0, lots: 5 }

function heardAt(now: number, bars = 0, position = 0): Heard {
  const bar = { slot: 0, start: now, open: 1, high: 1, low: 1, close: 1, volume: 1 }
  const desk = { bids: [now], asks: [now], positions: [position], orders: [] }
  return { now, isLive: true, bars: Array.from({ length: bars }, () => bar), quoted: [0], desk }
}

/** A child that answers when the test says so, and what the run did with it. */
function aRun({ hearsQuotes = true } = {}) {
  const asked: Heard[] = []
  const given: (readonly IntentTold[])[] = []
  const failed: string[] = []
  let answering = Promise.withResolvers<readonly IntentTold[]>()
  const child: CustomChild = {
    hearsQuotes,
    ask(heard) {
      asked.push(heard)
      answering = Promise.withResolvers()
      return answering.promise
    },
    end() {},
  }
  const run = new CustomRun({
    number: 1,
    start: async () => child,
    give: async (intents) => void given.push(intents),
    fail: (reason) => failed.push(reason),
  })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const answer = async (intents: readonly IntentTold[]) => {
    answering.resolve(intents)
    await settled()
  }
  const breakDown = async () => {
    answering.reject(new ModuleFailure('mine.ts failed'))
    await settled()
  }
  return { run, asked, given, failed, settled, answer, breakDown }
}

test('[CUST-12] while a module thinks, bars wait and of quotes only the latest does', async () => {
  const { run, asked, settled, answer } = aRun()
  run.hear([heardAt(1)])
  await settled()
  for (let now = 2; now <= 500; now++) run.hear([heardAt(now, now % 100 === 0 ? 1 : 0)])
  await settled()
  expect(asked).toHaveLength(1)
  await answer([])
  expect(asked).toHaveLength(2)
  expect(asked[1]).toMatchObject({ now: 500, quoted: [0], desk: { bids: [500] } })
  expect(asked[1]?.bars.map(({ start }) => start)).toEqual([100, 200, 300, 400, 500])
})

test('[CUST-12] after it traded a module is asked again only about a desk that was seen later', async () => {
  const { run, asked, given, settled, answer } = aRun()
  run.hear([heardAt(1)])
  await settled()
  run.hear([heardAt(2)])
  await answer([BUY])
  expect(given).toEqual([[BUY]])
  expect(asked).toHaveLength(1)
  run.hear([heardAt(3, 0, 5)])
  await settled()
  expect(asked[1]).toMatchObject({ now: 3, desk: { positions: [5] } })
})

test('[CUST-12] a module that listens to bars only is not asked about quotes', async () => {
  const { run, asked, settled } = aRun({ hearsQuotes: false })
  run.hear([heardAt(1)])
  await settled()
  run.hear([heardAt(2, 1)])
  await settled()
  expect(asked.map(({ now }) => now)).toEqual([2])
})

test('[CUST-12] a module that stays ten thousand bars behind is ended', async () => {
  const { run, failed, settled, answer } = aRun()
  run.hear([heardAt(1)])
  await settled()
  for (let now = 1; now <= 10_001; now++) run.hear([heardAt(now, 1)])
  await answer([])
  expect(failed).toEqual(['fell 10001 bars behind'])
})

test('[CUST-8] a failure is told once, and a run that was ended tells none', async () => {
  const first = aRun()
  first.run.hear([heardAt(1)])
  await first.settled()
  await first.breakDown()
  first.run.hear([heardAt(2)])
  await first.settled()
  expect(first.failed).toEqual(['mine.ts failed'])
  expect(first.asked).toHaveLength(1)
  const second = aRun()
  second.run.hear([heardAt(1)])
  await second.settled()
  second.run.end()
  await second.breakDown()
  expect(second.failed).toEqual([])
})
