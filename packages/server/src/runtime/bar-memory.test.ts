import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createColumns, type InstrumentId, idFrom } from '@binnacle/engine'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import { recallBars, rememberBars } from './bar-memory.ts'
import { ToldPast } from './told-past.ts'

function aBar(start: number, close = 5) {
  const bars = createColumns(idFrom<InstrumentId>('BTCUSDT'), '1s', 1)
  bars.start[0] = start
  bars.close[0] = close
  return bars
}

const file = () => join(temporaryFolder(), 'recent-bars.json')

test('what was remembered is recalled, as long as it is of the market now', async () => {
  const kept = file()
  await rememberBars(kept, [aBar(100_000)])
  expect(recallBars(kept, 101_000)).toEqual([aBar(100_000)])
  expect(recallBars(kept, 161_000)).toHaveLength(1)
  expect(recallBars(kept, 161_001)).toEqual([])
})

test('a file that is missing, torn or of something else is no past', () => {
  expect(recallBars(file(), 0)).toEqual([])
  for (const text of ['', '[{', '{}', '[{"instrument":"BTCUSDT"}]']) {
    const damaged = file()
    writeFileSync(damaged, text)
    expect(recallBars(damaged, 0)).toEqual([])
  }
})

test('of what strategies were told, the latest of each instrument and length is told again', () => {
  const told = new ToldPast([aBar(1)])
  told.add([aBar(2)])
  expect(told.all()).toEqual([aBar(2)])
})
