import { expect, test } from 'vitest'
import { createSamples } from '#storage/samples/samples.ts'
import { openSamplesStore } from '#storage/samples/samples-store.ts'
import { readPaperAccount } from './desk-samples.ts'
import { readEquity } from './performance/equity-record.ts'

const NOON_S = Date.UTC(2026, 0, 5, 12) / 1000

test('[NAUT-180] the record of a paper account is read under the names of the account', async () => {
  const samples = createSamples(openSamplesStore(':memory:'))
  for (const second of [0, 1]) {
    const values = new Map([['paper.equity', 100 + second]])
    await samples.add({ at: NOON_S + second, values })
  }
  const now = { now: (NOON_S + 2) * 1000, equity: 7 }
  expect(await readEquity(samples, '1D', now)).toMatchObject({ startEquity: 7, samples: [] })
  const read = await readEquity(readPaperAccount(samples), '1D', now)
  expect([read.startEquity, read.samples.at(-1)?.equity]).toEqual([100, 101])
})
