import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readdirSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Bar, type InstrumentId, idFrom, instantFromMs, MS_PER_DAY } from '@binnacle/engine'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { openSecondRing } from './second-ring.ts'

const BTC = idFrom<InstrumentId>('BTCUSDT')
const START = Date.UTC(2026, 0, 15, 12)

function aSecond(number: number, price = 100 + number): Bar {
  const prices = { open: price, high: price + 2, low: price - 2, close: price + 1 }
  return { interval: '1s', start: instantFromMs(START + number * 1_000), ...prices, volume: 7, trades: 3 }
}

function aRing(folder = temporaryFolder()) {
  const ring = openSecondRing(folder)
  onTestFinished(() => ring.close())
  return { folder, ring }
}

const startsOf = (ring: ReturnType<typeof openSecondRing>, from = START, to = START + MS_PER_DAY) =>
  Array.from(ring.read(BTC, { from, to }).start, (start) => (start - START) / 1_000)

test('[MKT-4] seconds are read back by their times after the ring is opened again', () => {
  const { folder, ring } = aRing()
  for (const number of [0, 1, 5, 86_399]) ring.write(BTC, aSecond(number))
  const again = aRing(folder).ring
  expect(startsOf(again)).toEqual([0, 1, 5, 86_399])
  expect(startsOf(again, START + 1_000, START + 6_000)).toEqual([1, 5])
  const [first] = [again.read(BTC, { from: START, to: START + 1 })]
  expect(first).toMatchObject({ interval: '1s', instrument: 'BTCUSDT', length: 1 })
  expect([first?.open[0], first?.high[0], first?.low[0], first?.close[0], first?.volume[0]]).toEqual([
    100, 102, 98, 101, 7,
  ])
})

test('[MKT-4] a second replaces the one of a day before, and the files stay at 2.8 MB', () => {
  const { folder, ring } = aRing()
  for (const number of [0, 1, 86_400]) ring.write(BTC, aSecond(number))
  expect(startsOf(ring, START, START + MS_PER_DAY + 1_000)).toEqual([1, 86_400])
  for (let number = 0; number < 86_400; number += 977) ring.write(BTC, aSecond(number + 3 * 86_400))
  const files = readdirSync(join(folder, 'v1')).map((name) => statSync(join(folder, 'v1', name)).size)
  expect(Math.max(...files)).toBeLessThanOrEqual(86_400 * 32)
})

test('[MKT-6] a torn second is skipped, and only that one', () => {
  const { folder, ring } = aRing()
  for (const number of [0, 1, 2]) ring.write(BTC, aSecond(number))
  const slot = (START / 1_000 + 1) % 86_400
  writeSync(openSync(join(folder, 'v1', 'BTCUSDT.ring'), 'r+'), 'torn', slot * 32 + 10)
  expect(startsOf(aRing(folder).ring)).toEqual([0, 2])
})

test('[MKT-6] a writer that is killed leaves every second that it had written', async () => {
  const folder = temporaryFolder()
  const script = `
    import { openSecondRing } from ${JSON.stringify(new URL('./second-ring.ts', import.meta.url).href)}
    const ring = openSecondRing(${JSON.stringify(folder)})
    for (let number = 0; ; number++) {
      const price = 100 + number
      ring.write('BTCUSDT', { start: ${START} + (number % 80000) * 1000, open: price, high: price + 2, low: price - 2, close: price + 1, volume: 7 })
      if (number === 5000) process.stdout.write('written')
    }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const read = aRing(folder).ring.read(BTC, { from: START, to: START + MS_PER_DAY })
  expect(read.length).toBeGreaterThan(5_000)
  expect(
    Array.from(read.high, (high, row) => high - (read.low[row] ?? 0)).every((range) => range === 4),
  ).toBe(true)
  expect(
    Array.from(read.close, (close, row) => close - (read.open[row] ?? 0)).every((rise) => rise === 1),
  ).toBe(true)
})
