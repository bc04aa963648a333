import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createColumns, type InstrumentId, idFrom } from '@binnacle/engine'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, test } from 'vitest'
import { WarmUpBars } from './warm-up-bars.ts'
import { readWarmUpBars, writeWarmUpBars } from './warm-up-file.ts'

function aBar(start: number, close = 5) {
  const bars = createColumns(idFrom<InstrumentId>('BTCUSDT'), '1s', 1)
  bars.start[0] = start
  bars.close[0] = close
  return bars
}

const file = () => join(temporaryFolder(), 'recent-bars.json')

test('what was remembered is recalled, as long as it is of the market now', async () => {
  const path = file()
  await writeWarmUpBars(path, [aBar(100_000)])
  expect(readWarmUpBars(path, 101_000)).toEqual([aBar(100_000)])
  expect(readWarmUpBars(path, 161_000)).toHaveLength(1)
  expect(readWarmUpBars(path, 161_001)).toEqual([])
})

test('a file that is missing, torn or of something else is no past', () => {
  expect(readWarmUpBars(file(), 0)).toEqual([])
  for (const text of ['', '[{', '{}', '[{"instrument":"BTCUSDT"}]']) {
    const damaged = file()
    writeFileSync(damaged, text)
    expect(readWarmUpBars(damaged, 0)).toEqual([])
  }
})

test('the latest warm-up bars of each instrument and interval are kept', () => {
  const warmUpBars = new WarmUpBars([aBar(1)])
  warmUpBars.add([aBar(2)])
  expect(warmUpBars.all()).toEqual([aBar(2)])
})
