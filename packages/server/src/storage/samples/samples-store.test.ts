import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { temporaryFolder, until } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { StartRefusal } from '#config/start-refusal.ts'
import { openSamples } from './samples.ts'
import { migrateSamples } from './samples-schema.ts'
import { openSamplesStore, type SamplesStore, type SamplesStoreOptions } from './samples-store.ts'

const newFile = () => join(temporaryFolder(), 'samples.sqlite')

function opened(file = newFile(), options: SamplesStoreOptions = {}): SamplesStore {
  const store = openSamplesStore(file, options)
  onTestFinished(() => store.close())
  return store
}

/** 2026-01-01T00:00:00Z. */
const START = 1_767_225_600
const DAY = 86_400

const one = (at: number, value: number, name = 'equity') => ({ at, values: new Map([[name, value]]) })
const lengthsOf = (store: SamplesStore, name = 'equity') =>
  ([1, 60, 3600] as const).map((resolutionS) => {
    const range = { from: 0, to: START + 20 * 366 * DAY, resolutionS, stepS: resolutionS }
    return store.read([name], range).get(name)?.length
  })

test('[SAMPLE-2] a minute has the last value of its seconds, the lowest and the highest', () => {
  const store = opened()
  for (const [second, value] of [5, 9, 2, 7].entries()) store.add(one(START + 58 + second, value))
  const read = (stepS: 1 | 60 | 3600) =>
    store.read(['equity'], { from: START, to: START + 3600, resolutionS: stepS, stepS }).get('equity')
  expect(read(60)).toEqual([
    { at: START, last: 9, low: 5, high: 9 },
    { at: START + 60, last: 7, low: 2, high: 7 },
  ])
  expect(read(3600)).toEqual([{ at: START, last: 7, low: 2, high: 9 }])
  expect(read(1)).toHaveLength(4)
})

test('[SAMPLE-2] seconds are deleted after a day, minutes after 366 days, hours after ten years', () => {
  const store = opened()
  for (let hour = 0; hour < 3; hour += 1) store.add(one(START + hour * 3600, hour))
  expect(lengthsOf(store)).toEqual([3, 3, 3])
  store.add(one(START + DAY + 3601, 9))
  expect(lengthsOf(store)).toEqual([2, 4, 4])
  store.add(one(START + 366 * DAY + 3600, 9))
  expect(lengthsOf(store)).toEqual([1, 4, 5])
  store.add(one(START + 3660 * DAY + 3600, 9))
  expect(lengthsOf(store)).toEqual([1, 1, 5])
})

test('[SAMPLE-4] samples, marks and notes are there after reopening, an unfinished minute included', () => {
  const file = newFile()
  const store = openSamplesStore(file)
  store.add({
    ...one(START, 1),
    marks: [{ atMs: START * 1000 + 250, kind: 'halted', text: 'Trading is HALTED.' }],
    notes: new Map([['desk', 'a']]),
  })
  store.add(one(START + 1, 3))
  store.close()
  const again = opened(file)
  expect(again.lastAt()).toBe(START + 1)
  expect(again.notes()).toEqual(new Map([['desk', 'a']]))
  expect(again.marks(START, START + 1, 9)).toEqual([
    { atMs: START * 1000 + 250, kind: 'halted', text: 'Trading is HALTED.' },
  ])
  again.add(one(START + 70, 2))
  const minutes = { from: START, to: START + 120, resolutionS: 60, stepS: 60 } as const
  expect(again.read(['equity'], minutes).get('equity')).toEqual([
    { at: START, last: 3, low: 1, high: 3 },
    { at: START + 60, last: 2, low: 2, high: 2 },
  ])
  expect(again.lastBefore('equity', START + 60)).toEqual({ at: START, value: 3 })
  expect(again.lastBefore('equity', START)).toBeUndefined()
})

const WRITER = `
  import { openSamplesStore } from ${JSON.stringify(new URL('./samples-store.ts', import.meta.url).href)}
  const store = openSamplesStore(process.argv[1])
  for (let at = ${START}; ; at += 1) {
    store.add({ at, values: new Map([['equity', at], ['pnl.today', -at]]) })
    process.stdout.write(at + '\\n')
    await new Promise((resolve) => setImmediate(resolve))
  }`

test('[SAMPLE-4] kill -9 loses no second that was recorded, and no second is half recorded', async () => {
  const file = newFile()
  const child = spawn(process.execPath, ['--input-type=module', '-e', WRITER, file])
  const exited = once(child, 'exit')
  let last = 0
  for await (const line of createInterface(child.stdout)) {
    last = Number(line)
    if (last >= START + 150) child.kill('SIGKILL')
  }
  await exited
  const store = opened(file)
  const range = { from: START, to: START + DAY, resolutionS: 1, stepS: 1 } as const
  const found = store.read(['equity', 'pnl.today'], range)
  expect(found.get('equity')?.length).toBeGreaterThanOrEqual(last - START + 1)
  expect(found.get('pnl.today')?.map(({ last: value }) => -value)).toEqual(
    found.get('equity')?.map(({ last: value }) => value),
  )
  const minutes = store.read(['equity'], { ...range, resolutionS: 60, stepS: 60 }).get('equity')
  expect(minutes?.[0]).toEqual({ at: START, last: START + 59, low: START, high: START + 59 })
})

test('[SAMPLE-5] a clock set far back and forth again leaves every minute as it was', () => {
  const store = opened()
  for (let minute = 0; minute < 60; minute += 1) store.add(one(START + minute * 60, minute))
  store.add(one(START + 2 * DAY, 100))
  store.add(one(START + 30 * 60, 30.5))
  store.add(one(START + 2 * DAY + 60, 101))
  const range = { from: START, to: START + 3 * DAY, resolutionS: 60, stepS: 60 } as const
  const found = store.read(['equity'], range).get('equity') ?? []
  expect(found.map(({ at }) => at)).toEqual([
    ...Array.from({ length: 60 }, (_, minute) => START + minute * 60),
    START + 2 * DAY,
    START + 2 * DAY + 60,
  ])
  expect(found[30]).toEqual({ at: START + 1800, last: 30.5, low: 30, high: 30.5 })
  expect(found[31]).toEqual({ at: START + 1860, last: 31, low: 31, high: 31 })
})

test('[SAMPLE-6] a new series takes the place of the one not written for the longest time, never of a current one', () => {
  const store = opened(newFile(), { maxSeries: 2 })
  store.add(one(START, 1, 'a'))
  store.add(one(START + 60, 2, 'b'))
  store.add(one(START + 120, 3, 'c'))
  expect(lengthsOf(store, 'a')).toEqual([0, 0, 0])
  expect(lengthsOf(store, 'b')).toEqual([1, 1, 1])
  const all = ['b', 'c', 'd'].map((name): [string, number] => [name, 4])
  store.add({ at: START + 180, values: new Map(all) })
  expect(['b', 'c', 'd'].map((name) => lengthsOf(store, name)[0])).toEqual([2, 2, 0])
})

test('a value that is no number is not recorded', () => {
  const store = opened()
  store.add({
    at: START,
    values: new Map([
      ['a', Number.NaN],
      ['b', Infinity],
      ['c', 1],
    ]),
  })
  expect(['a', 'b', 'c'].map((name) => lengthsOf(store, name)[0])).toEqual([0, 0, 1])
})

test('[SAMPLE-11] a damaged file is moved aside and recording begins again', () => {
  const file = newFile()
  const store = openSamplesStore(file)
  for (let at = START; at < START + 500; at += 1) store.add(one(at, at))
  store.close()
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(4096, 0xa5), 0, 4096, statSync(file).size - 4096)
  closeSync(handle)
  const messages: string[] = []
  const again = opened(file, { onDamage: (message) => messages.push(message) })
  expect(again.lastAt()).toBeUndefined()
  again.add(one(START + 600, 1))
  expect(again.lastAt()).toBe(START + 600)
  expect(existsSync(`${file}.damaged`)).toBe(true)
  expect(messages).toEqual([
    `${file} was damaged. It was moved to ${file}.damaged, and recording began again: charts are empty before now.`,
  ])
})

test('[SAMPLE-11] a file of a newer version is refused and left as it is', () => {
  const file = newFile()
  const store = openSamplesStore(file)
  store.add(one(START, 1))
  store.close()
  const database = new DatabaseSync(file)
  database.exec('PRAGMA user_version = 99')
  expect(() => openSamplesStore(file)).toThrow(StartRefusal)
  database.exec('PRAGMA user_version = 1')
  database.close()
  expect(opened(file).lastAt()).toBe(START)
})

test('[SAMPLE-11] a later step of the schema runs once and keeps the samples', () => {
  const file = newFile()
  const store = openSamplesStore(file)
  store.add(one(START, 1))
  store.close()
  const database = new DatabaseSync(file)
  onTestFinished(() => database.close())
  const steps = ['never run again', 'ALTER TABLE series ADD COLUMN unit TEXT']
  migrateSamples(database, file, steps)
  migrateSamples(database, file, steps)
  expect(database.prepare('SELECT name, unit FROM series').all()).toEqual([{ name: 'equity', unit: null }])
  expect(database.prepare('SELECT count(*) AS count FROM samples_1s').get()).toEqual({ count: 1 })
})

test('marks are the latest of their range, oldest first', () => {
  const store = opened()
  const marks = [1, 2, 3, 4].map((n) => ({ atMs: (START + n) * 1000, kind: 'limits', text: `${n}` }))
  store.add({ at: START + 5, values: new Map(), marks })
  expect(store.marks(START, START + 4, 2).map(({ text }) => text)).toEqual(['2', '3'])
})

test('[SAMPLE-4] [SAMPLE-11] the thread of the samples records, answers and says what it found at the start', async () => {
  const file = newFile()
  const first = await openSamples(file)
  expect(first.atStart).toEqual({ lastAt: undefined, notes: new Map() })
  await first.add({ ...one(START, 1), notes: new Map([['desk', 'a']]) })
  await expect(
    first.add({ at: START, values: new Map(), marks: [{ atMs: Number.NaN, kind: '', text: '' }] }),
  ).rejects.toThrow()
  await first.add(one(START + 60, 2))
  await first.close()
  await expect(first.add(one(START + 61, 3))).rejects.toThrow('The thread of the samples has ended')

  const again = await openSamples(file)
  onTestFinished(() => again.close())
  expect(again.atStart).toEqual({ lastAt: START + 60, notes: new Map([['desk', 'a']]) })
  const range = { from: START + 60, to: START + 120, resolutionS: 60, stepS: 60 } as const
  expect(await again.query({ series: ['equity', 'none'], range, maxMarks: 9 })).toEqual({
    points: new Map([
      ['equity', [{ at: START + 60, last: 2, low: 2, high: 2 }]],
      ['none', []],
    ]),
    before: new Map([['equity', { at: START, value: 1 }]]),
    marks: [],
  })
})

test('[SAMPLE-11] the thread passes on a refusal and the message about a damaged file', async () => {
  const file = newFile()
  writeFileSync(file, 'no database, and longer than a header'.repeat(99))
  const messages: string[] = []
  const samples = await openSamples(file, (message) => messages.push(message))
  await samples.close()
  expect(messages).toEqual([expect.stringContaining('was damaged')])
  const database = new DatabaseSync(file)
  database.exec('PRAGMA user_version = 99')
  database.close()
  await expect(openSamples(file)).rejects.toThrow(/newer version/)
})

test('[SAMPLE-300] a thread of the samples that ends is reported and started again', async () => {
  const workers: Worker[] = []
  const faults: string[] = []
  const startWorker = (file: string) => {
    const worker = new Worker(new URL('./samples.worker.ts', import.meta.url), { workerData: file })
    workers.push(worker)
    return worker
  }
  const samples = await openSamples(newFile(), () => {}, {
    startWorker,
    onFault: (fault) => faults.push(String(fault)),
  })
  onTestFinished(() => samples.close())
  await samples.add(one(START, 1))
  workers[0]?.emit('error', new Error('out of memory'))
  await workers[0]?.terminate()
  await expect(samples.add(one(START + 1, 2))).rejects.toThrow('It is started again.')
  await until(() => samples.add(one(START + 60, 3)))
  expect(faults).toEqual(['Error: out of memory'])
  expect(workers).toHaveLength(2)
})
