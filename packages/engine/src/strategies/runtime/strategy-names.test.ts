import { beforeEach, expect, test } from 'vitest'
import { decodeEntry, encodeEntry } from '#journal/codec.ts'
import { fold } from '#journal/replay.ts'
import { decodeSnapshot, encodeSnapshot } from '#journal/snapshot.ts'
import { createHardState } from '#state/hard-state.ts'
import { strategyName } from '#state/strategy-register.ts'
import { createLab, type Lab } from '#testkit/lab.ts'
import { type IdempotencyKey, idFrom, MANUAL, type StrategyId } from '#values/ids.ts'

let lab: Lab
beforeEach(() => {
  lab = createLab()
})

const add = (name: string, key?: string) =>
  lab.run({
    type: 'AddStrategy',
    name,
    strategyType: 'momentum',
    description: '',
    config: {},
    ...(key !== undefined && { key: idFrom<IdempotencyKey>(key) }),
  })
const first = idFrom<StrategyId>('S-1')

test('[STRAT-39] a name is refused while another strategy has it, in any case and width', () => {
  add('Trend')
  for (const name of ['Trend', 'trend', 'ＴＲＥＮＤ']) {
    expect(add(name)).toEqual({ ok: false, reason: { code: 'strategy.name-taken', name, by: 'S-1' } })
  }
  expect(add('manual')).toMatchObject({ ok: false, reason: { code: 'strategy.name-taken', by: MANUAL } })
  expect(add('Trend 2')).toMatchObject({ ok: true })
  lab.run({ type: 'RemoveStrategy', strategy: first })
  expect(add('trend')).toMatchObject({ ok: true })
})

test('[STRAT-39] a repeated key is answered with the first strategy, although the name is taken by it', () => {
  add('Trend', 'k')
  expect(add('Trend', 'k')).toMatchObject({ ok: true, strategy: 'S-1' })
})

test('[STORE-66] a strategy gets the lowest allowed number, and the next one follows it after a restart too', () => {
  add('Trend')
  const terms = { strategyType: 'momentum', description: '', config: {} }
  const addFrom = (name: string, minNumber: number) =>
    lab.run({ type: 'AddStrategy', name, ...terms, minNumber })
  expect(addFrom('Seventh', 7)).toMatchObject({ ok: true, strategy: 'S-7' })
  expect(addFrom('Eighth', 3)).toMatchObject({ ok: true, strategy: 'S-8' })
  const folded = fold(createHardState(), lab.entries.map(encodeEntry).map(decodeEntry))
  for (const state of [folded, decodeSnapshot(encodeSnapshot(folded))]) {
    expect(state.strategies.nextNumber).toBe(9)
  }
})

test('[STRAT-40] the name of a deleted strategy is known after a restart, from entries and from a snapshot', () => {
  add('Trend')
  lab.run({ type: 'RemoveStrategy', strategy: first })
  const folded = fold(createHardState(), lab.entries.map(encodeEntry).map(decodeEntry))
  for (const state of [folded, decodeSnapshot(encodeSnapshot(folded))]) {
    expect(strategyName(state.strategies, first)).toBe('Trend')
    expect(strategyName(state.strategies, MANUAL)).toBeUndefined()
  }
})

test('[STRAT-43] two strategies of one name in older data stay as they are, and both can be used', () => {
  add('Trend')
  add('Other')
  const older = lab.entries.map(encodeEntry).map((text) => decodeEntry(text.replaceAll('Other', 'Trend')))
  lab = createLab({ state: fold(createHardState(), older), at: lab.now })
  expect([...lab.state.strategies.all.values()].map(({ name }) => name)).toEqual(['Trend', 'Trend'])
  for (const strategy of [first, idFrom<StrategyId>('S-2')]) {
    expect(lab.run({ type: 'StartStrategy', strategy })).toMatchObject({ ok: true })
    expect(lab.run({ type: 'ReconfigureStrategy', strategy, config: { order_value: 100 } })).toMatchObject({
      ok: true,
    })
  }
})

test('[STRAT-54] a strategy is renamed, not to the name of another, and keeps it after a restart', () => {
  add('Trend')
  add('Other')
  const rename = (name: string, strategy = first) => lab.run({ type: 'RenameStrategy', strategy, name })
  expect(rename('other')).toEqual({
    ok: false,
    reason: { code: 'strategy.name-taken', name: 'other', by: 'S-2' },
  })
  expect(rename('x', idFrom<StrategyId>('S-9'))).toMatchObject({ reason: { code: 'strategy.unknown' } })
  expect(rename('TREND')).toMatchObject({ ok: true })
  expect(lab.watch(() => rename('TREND'))).toEqual([])
  expect(add('Trend')).toMatchObject({ ok: false })
  const folded = fold(createHardState(), lab.entries.map(encodeEntry).map(decodeEntry))
  for (const state of [folded, decodeSnapshot(encodeSnapshot(folded))]) {
    expect(strategyName(state.strategies, first)).toBe('TREND')
  }
})
