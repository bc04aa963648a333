import { expect, onTestFinished, test } from 'vitest'
import { createSamples, type Samples } from '#storage/samples/samples.ts'
import { openSamplesStore, type SamplesStore } from '#storage/samples/samples-store.ts'
import { type SourceReading, startSampler } from './sampler.ts'

const START_MS = 1_767_225_600_000
const SECONDS = { from: 0, to: 1e11, resolutionS: 1, stepS: 1 } as const

function started(samples: Samples, readings: readonly SourceReading[]) {
  const faults: string[] = []
  const clock = { ms: START_MS }
  const read = [...readings]
  const sampler = startSampler({
    samples,
    sources: [{ read: () => read.shift() ?? { values: new Map() } }],
    now: () => clock.ms,
    onFault: (fault) => faults.push(String(fault)),
  })
  onTestFinished(() => sampler.close())
  return { sampler, clock, faults }
}

function newStore(): SamplesStore {
  const store = openSamplesStore(':memory:')
  onTestFinished(() => store.close())
  return store
}

const valued = (value: number): SourceReading => ({ values: new Map([['equity', value]]) })

test('[SAMPLE-1] each tick records the sources under its second', async () => {
  const store = newStore()
  const { sampler, clock } = started(createSamples(store), [valued(1), valued(2)])
  clock.ms += 20
  await sampler.tick()
  clock.ms += 1000
  await sampler.tick()
  expect(store.read(['equity'], SECONDS).get('equity')).toMatchObject([
    { at: START_MS / 1000, last: 1 },
    { at: START_MS / 1000 + 1, last: 2 },
  ])
})

test('[SAMPLE-12] a failing store is reported once, costs only its seconds, and marks wait for it', async () => {
  const store = newStore()
  let isFull = true
  const failing: Samples = {
    ...createSamples(store),
    async add(batch) {
      if (isFull) throw new Error('database or disk is full')
      store.add(batch)
    },
  }
  const mark = { atMs: START_MS, kind: 'halted', text: 'Trading is HALTED.' }
  const { sampler, clock, faults } = started(failing, [
    { ...valued(1), marks: [mark], notes: new Map([['desk', 'known']]) },
    valued(2),
    valued(3),
  ])
  await sampler.tick()
  clock.ms += 1000
  await sampler.tick()
  isFull = false
  clock.ms += 1000
  await sampler.tick()
  expect(faults).toEqual(['Error: database or disk is full'])
  expect(store.read(['equity'], SECONDS).get('equity')).toMatchObject([{ last: 3 }])
  expect(store.marks(0, 1e11, 9)).toEqual([mark])
  expect(store.notes()).toEqual(new Map([['desk', 'known']]))
})

test('[SAMPLE-8] a restart is marked with the time without samples, the first start is not', async () => {
  const store = newStore()
  await started(createSamples(store), [valued(1)]).sampler.tick()
  expect(store.marks(0, 1e11, 9)).toEqual([])
  const again = startSampler({ samples: createSamples(store), sources: [], now: () => START_MS + 192_000 })
  onTestFinished(() => again.close())
  await again.tick()
  expect(store.marks(0, 1e11, 9)).toEqual([
    {
      atMs: START_MS + 192_000,
      kind: 'restart',
      text: 'The server was started. Nothing was recorded for 3 min 12 s.',
    },
  ])
})
