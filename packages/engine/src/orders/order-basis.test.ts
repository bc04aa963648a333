import { expect, test } from 'vitest'
import { decodeEntry, encodeEntry } from '#journal/codec.ts'
import type { Event } from '#model/event.ts'
import { createLab, type Lab } from '#testkit/lab.ts'
import { createScriptedLab } from '#testkit/scripted-strategy.ts'

function basisIn(events: readonly Event[]) {
  const placed = events.find((event) => event.type === 'OrderSubmitted' || event.type === 'OrderDenied')
  return placed?.basis
}

function placing(lab: Lab, order: Parameters<Lab['place']>[0]) {
  return basisIn(lab.watch(() => lab.place(order)))
}

test('[ORD-65] an order is recorded with the quote and the number of each check, denied or not', () => {
  const lab = createLab()
  lab.quote({ bid: 50_000, ask: 50_001 })
  lab.wait(500)
  const basis = placing(lab, { quantity: 0.1 })
  expect(basis).toEqual({
    effect: 'adds',
    quote: { bid: 50_000, ask: 50_001, ageMs: 500 },
    checks: [
      { check: 'quote_age_ms', value: 500, limit: 60_000 },
      { check: 'max_order_size', value: 5_000.1, limit: 10_000 },
      { check: 'max_daily_loss', value: 0, limit: 5_000 },
      { check: 'max_positions', value: 1, limit: 10 },
      { check: 'max_position_size', value: 5_000.1, limit: 50_000 },
      { check: 'margin', value: 5_000.1, limit: 100_000 },
    ],
  })
  const denied = placing(lab, { quantity: 1 })
  expect(denied?.checks).toContainEqual({ check: 'max_order_size', value: 50_001, limit: 10_000 })
  lab.wait(100)
  expect(placing(lab, { quantity: 0.1, side: 'SELL' })).toMatchObject({ effect: 'reduces', checks: [] })
})

test('[ORD-65] an order of a strategy is recorded with its intent and its figures', () => {
  const { lab, script, second } = createScriptedLab()
  script.signal = { score: 2.5 }
  script.onBar = (_bar, context) => context.target(0, 1_000)
  second(50_000)
  const events = lab.watch(() => lab.quote({}))
  expect(basisIn(events)).toMatchObject({
    intent: { type: 'target', position: 0.01 },
    signal: { score: 2.5 },
  })
})

test('[ORD-65] entries of older versions have no basis and still open', () => {
  const lab = createLab()
  lab.quote({})
  lab.place({ quantity: 0.1 })
  const [entry] = lab.entries.filter(({ events }) => basisIn(events) !== undefined)
  if (entry === undefined) throw new Error('no order was placed')
  const old = JSON.parse(encodeEntry(entry))
  for (const event of old.events) delete event.basis
  expect(basisIn(decodeEntry(JSON.stringify(old)).events)).toBeUndefined()
  expect(basisIn(decodeEntry(encodeEntry(entry)).events)).toEqual(basisIn(entry.events))
})
