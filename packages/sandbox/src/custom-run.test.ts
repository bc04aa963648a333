import { expect, test } from 'vitest'
import type { IntentMessage, StrategyUpdate } from '#child/protocol.ts'
import type { CustomChild } from './custom-child.ts'
import { CustomRun } from './custom-run.ts'
import { ModuleFailure } from './sealed-process.ts'

const BUY: IntentMessage = { type: 'target', slot: 0, lots: 5 }

function updateAt(now: number, bars = 0, position = 0): StrategyUpdate {
  const bar = { slot: 0, start: now, open: 1, high: 1, low: 1, close: 1, volume: 1 }
  const desk = { bids: [now], asks: [now], positions: [position], orders: [] }
  return { now, isLive: true, bars: Array.from({ length: bars }, () => bar), quotedSlots: [0], desk }
}

/** A child that answers when the test says so, and what the run did with it. */
function aRun({ wantsQuotes = true } = {}) {
  const delivered: StrategyUpdate[] = []
  const given: (readonly IntentMessage[])[] = []
  const failed: string[] = []
  let answering = Promise.withResolvers<readonly IntentMessage[]>()
  const child: CustomChild = {
    wantsQuotes,
    deliver(update) {
      delivered.push(update)
      answering = Promise.withResolvers()
      return answering.promise
    },
    end() {},
  }
  const run = new CustomRun({
    number: 1,
    start: async () => child,
    submit: async (intents) => void given.push(intents),
    fail: (reason) => failed.push(reason),
  })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const answer = async (intents: readonly IntentMessage[]) => {
    answering.resolve(intents)
    await settled()
  }
  const breakDown = async () => {
    answering.reject(new ModuleFailure('mine.ts failed'))
    await settled()
  }
  return { run, delivered, given, failed, settled, answer, breakDown }
}

test('[CUST-12] while a module thinks, bars wait and of quotes only the latest does', async () => {
  const { run, delivered, settled, answer } = aRun()
  run.deliver([updateAt(1)])
  await settled()
  for (let now = 2; now <= 500; now++) run.deliver([updateAt(now, now % 100 === 0 ? 1 : 0)])
  await settled()
  expect(delivered).toHaveLength(1)
  await answer([])
  expect(delivered).toHaveLength(2)
  expect(delivered[1]).toMatchObject({ now: 500, quotedSlots: [0], desk: { bids: [500] } })
  expect(delivered[1]?.bars.map(({ start }) => start)).toEqual([100, 200, 300, 400, 500])
})

test('[CUST-12] [CUST-21] after it traded a module is delivered again only about a desk that was seen later', async () => {
  const { run, delivered, given, settled, answer } = aRun()
  run.deliver([updateAt(1)])
  await settled()
  run.deliver([updateAt(2)])
  await answer([BUY])
  expect(given).toEqual([[BUY]])
  expect(delivered).toHaveLength(1)
  run.deliver([updateAt(3, 0, 5)])
  await settled()
  expect(delivered[1]).toMatchObject({ now: 3, desk: { positions: [5] } })
})

test('[CUST-12] a module that listens to bars only is not delivered about quotes', async () => {
  const { run, delivered, settled } = aRun({ wantsQuotes: false })
  run.deliver([updateAt(1)])
  await settled()
  run.deliver([updateAt(2, 1)])
  await settled()
  expect(delivered.map(({ now }) => now)).toEqual([2])
})

test('[CUST-12] [CUST-22] a module that stays ten thousand bars behind is ended', async () => {
  const { run, failed, settled, answer } = aRun()
  run.deliver([updateAt(1)])
  await settled()
  for (let now = 1; now <= 10_001; now++) run.deliver([updateAt(now, 1)])
  await answer([])
  expect(failed).toEqual(['fell 10001 bars behind'])
})

test('[CUST-8] a failure is reported once, and not at all by a run that was ended', async () => {
  const first = aRun()
  first.run.deliver([updateAt(1)])
  await first.settled()
  await first.breakDown()
  first.run.deliver([updateAt(2)])
  await first.settled()
  expect(first.failed).toEqual(['mine.ts failed'])
  expect(first.delivered).toHaveLength(1)
  const second = aRun()
  second.run.deliver([updateAt(1)])
  await second.settled()
  second.run.end()
  await second.breakDown()
  expect(second.failed).toEqual([])
})
