import {
  createHardState,
  createViews,
  type InstrumentId,
  idFrom,
  instantFromMs,
  type JournalEntry,
  parseMoney,
  type StrategyId,
  seqFrom,
  standardInstruments,
} from '@binnacle/engine'
import { expect, test } from 'vitest'
import { addRows, emptyRows } from './history-rows.ts'

test('[PERF-18] funding is a row with its amount, strategy and instrument', () => {
  const amount = parseMoney('-1.25')
  if (!amount.ok) throw new Error('not an amount')
  const paid = {
    type: 'FundingPaid' as const,
    strategy: idFrom<StrategyId>('S-1'),
    instrument: idFrom<InstrumentId>('BTCUSDT-PERP'),
    amount: amount.value,
  }
  const rows = emptyRows()
  // Only the parts that the rows are derived from.
  const entry = { seq: seqFrom(7), at: instantFromMs(1_000), events: [paid] } as unknown as JournalEntry
  addRows(rows, entry, createViews(standardInstruments(), createHardState()))
  expect(rows.funding).toEqual([
    { strategy: 'S-1', instrument: 'BTCUSDT-PERP', amount: -1.25, at: 1_000, seq: 7 },
  ])
  expect(rows.fills).toEqual([])
})
