import { describe, expect, test } from 'vitest'
import { createHardState } from '#state/hard-state.ts'
import { EMPTY_RESULT } from '#step/step-core.ts'
import { anOrder, aQuote, aTrade } from '#testkit/builders.ts'
import { createLab } from '#testkit/lab.ts'
import { type InstrumentId, idFrom, type PositionId } from '#values/ids.ts'
import { createViews } from '#views/views.ts'
import { createEngine } from './engine.ts'

describe('a quiet tick', () => {
  test('shares one empty step and leaves no entry', () => {
    const lab = createLab()
    const { engine, instruments } = lab
    expect(engine.process(aQuote(instruments))).toBe(EMPTY_RESULT)
    expect(engine.process(aTrade(instruments, { price: 50_000 }))).toBe(EMPTY_RESULT)
    lab.place({ quantity: 0.1 })
    const seq = lab.state.seq
    expect(engine.process(aQuote(instruments, { bid: 50_100 }))).toBe(EMPTY_RESULT)
    expect(engine.process({ kind: 'timer', at: lab.now })).toBe(EMPTY_RESULT)
    expect(lab.state.seq).toBe(seq)
  })

  test('of an instrument that nobody knows is no bug', () => {
    const { engine, instruments } = createLab()
    expect(engine.process({ ...aQuote(instruments), instrument: idFrom<InstrumentId>('XAUUSD') })).toBe(
      EMPTY_RESULT,
    )
  })
})

describe('a desk that was never opened', () => {
  test('takes no command but to open, and opens once', () => {
    const lab = createLab()
    const engine = createEngine({ instruments: lab.instruments })
    const command = { kind: 'command', at: lab.now, by: null, requestId: null } as const
    expect(engine.process({ ...command, command: anOrder() }).answer).toEqual({
      ok: false,
      reason: { code: 'desk.not-open' },
    })
    expect(lab.run({ type: 'OpenDesk', cash: 1, limits: {} as never, venues: [] })).toEqual({
      ok: false,
      reason: { code: 'desk.already-open' },
    })
  })
})

describe('events', () => {
  test('they are frozen: nobody can change what happened', () => {
    const lab = createLab()
    const [opened] = lab.events
    expect(Object.isFrozen(opened)).toBe(true)
    expect(Object.isFrozen(lab.entries[0])).toBe(true)
  })
})

test("a new user's first minute", () => {
  const lab = createLab()
  const views = createViews(lab.instruments, createHardState())
  const show = () => {
    for (const entry of lab.entries.slice(views.seq)) views.apply(entry)
    views.refresh(lab.engine.computeLiveFigures())
    return views
  }
  lab.quote({ bid: 60_000, ask: 60_001 })
  const market = lab.place({ quantity: 0.001 })
  expect(show().order(market.id)).toMatchObject({ status: 'FILLED', filled: 0.001 })
  expect(views.positions()).toMatchObject([{ side: 'LONG', quantity: 0.001 }])
  const before = views.positions()[0]?.unrealised ?? 0
  lab.quote({ bid: 60_100, ask: 60_101 })
  expect((show().positions()[0]?.unrealised ?? 0) - before).toBeCloseTo(0.1, 8)
  const limit = lab.place({ orderType: 'LIMIT', price: 55_000, quantity: 0.001 })
  expect(show().order(limit.id)?.status).toBe('PENDING')
  lab.run({ type: 'CancelOrder', orderId: limit.id })
  expect(show().order(limit.id)?.status).toBe('CANCELLED')
  const refused = lab.place({ quantity: 1 })
  expect(show().order(refused.id)?.reason?.sentence).toBe(
    'The order is worth 60,101.00; Max Order Size is 10,000.00.',
  )
  lab.run({ type: 'ClosePosition', positionId: idFrom<PositionId>('P-1') })
  expect(show().positions()).toEqual([])
})
