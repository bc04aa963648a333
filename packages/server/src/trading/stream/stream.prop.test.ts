import { standardInstruments } from '@binnacle/engine'
import { anOrder, aQuote, generated } from '@binnacle/engine/testkit'
import { countOf, testSeed, until } from '@binnacle/stores/testkit'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { aStreamServer, StreamReader, TRADER_ID } from '#testkit/stream.ts'
import { wallClock } from '#trading/runtime/wall-clock.ts'
import { DESK_TOPICS, type DeskTopic, isDeskTopic, snapshotOf } from './stream-rows.ts'

/** Of the long session. */
const SECONDS = countOf('cutStreamSeconds')
const CLIENTS = 4
const BATCH = 100
const MAX_WORKING = 50

vi.setConfig({ testTimeout: 300_000 + SECONDS * 1_000 })

const instruments = standardInstruments()

/** Fills are events, not a state. */
const STATES: readonly DeskTopic[] = DESK_TOPICS.filter((topic) => topic !== 'fills')

type Act =
  | { kind: 'place'; price: number }
  | { kind: 'fill'; side: 'BUY' | 'SELL' }
  | { kind: 'cancel'; nth: number }
  | { kind: 'quote'; bid: number }
  | { kind: 'state'; to: 'ACTIVE' | 'REDUCING' | 'HALTED' }
  | { kind: 'component'; isStart: boolean; component: 'MessageBus' | 'Portfolio' | 'RiskEngine' }
  | { kind: 'strategy'; name: string }
  | { kind: 'flush' }
  | { kind: 'cut' }
  | { kind: 'connect'; isAwaited: boolean }

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('place' as const),
      price: fc.integer({ min: 40_000, max: 60_000 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('fill' as const),
      side: fc.constantFrom('BUY' as const, 'SELL' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('cancel' as const), nth: fc.nat({ max: 20 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('quote' as const),
      bid: fc.integer({ min: 45_000, max: 55_000 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('state' as const),
      to: fc.constantFrom('ACTIVE' as const, 'REDUCING' as const, 'HALTED' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('component' as const),
      isStart: fc.boolean(),
      component: fc.constantFrom('MessageBus' as const, 'Portfolio' as const, 'RiskEngine' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('strategy' as const), name: fc.constantFrom('One', 'Two') }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'flush' as const }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'cut' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('connect' as const), isAwaited: fc.boolean() }),
  },
)

const RESTORING_ACTS: readonly Act[] = [
  { kind: 'component', isStart: true, component: 'MessageBus' },
  { kind: 'component', isStart: true, component: 'Portfolio' },
  { kind: 'component', isStart: true, component: 'RiskEngine' },
  { kind: 'state', to: 'ACTIVE' },
]

/** A desk and its stream, with clients that are cut and connected by acts. */
async function aDeskWith(clients: number) {
  const { desk, hub, port } = await aStreamServer()
  const listed = (topic: DeskTopic) => JSON.parse(JSON.stringify(snapshotOf[topic](desk, TRADER_ID)))
  const aReader = () => new StreamReader((topic) => (isDeskTopic(topic) ? listed(topic) : undefined))
  const first = aReader()
  const readers = [first, ...Array.from({ length: clients - 1 }, aReader)]
  const cancel = async (nth: number) => {
    const working = desk.views.orders().filter(({ status }) => status === 'PENDING')
    const order = working[nth % working.length]
    if (order !== undefined) await desk.submit({ type: 'CancelOrder', orderId: order.id })
    return working.length
  }
  const apply = async (done: Act, reader = first): Promise<unknown> => {
    switch (done.kind) {
      case 'place':
        return desk.submit(anOrder({ orderType: 'LIMIT', price: done.price, quantity: 0.001 }))
      case 'fill':
        return desk.submit(anOrder({ side: done.side, quantity: 0.001, instrument: 'BTCUSDT-PERP' }))
      case 'cancel':
        return cancel(done.nth)
      case 'quote':
        for (const instrument of ['BTCUSDT', 'BTCUSDT-PERP']) {
          desk.accept(
            aQuote(instruments, { at: wallClock.now(), bid: done.bid, ask: done.bid + 1, instrument }),
          )
        }
        return undefined
      case 'state':
        return desk.submit({ type: 'ChangeTradingState', to: done.to })
      case 'component': {
        const type = done.isStart ? 'StartComponent' : 'StopComponent'
        return desk.submit({ type, component: done.component })
      }
      case 'strategy':
        return desk.submit({
          type: 'AddStrategy',
          name: done.name,
          strategyType: 'momentum',
          description: '',
          config: {},
        })
      case 'flush':
        return hub.flush()
      case 'cut':
        return reader.cut()
      case 'connect':
        if (reader.isOpen) return undefined
        // While the bus is stopped a client gets no snapshot, so it would not be in sync.
        return done.isAwaited && hub.pauseReason === null
          ? reader.connect(port, STATES)
          : reader.open(port, STATES)
      default:
        return done satisfies never
    }
  }
  /** Ends the changes, connects every client and compares each one with the desk. */
  const expectSameState = async () => {
    await desk.idle()
    await desk.submit({ type: 'StartComponent', component: 'MessageBus' })
    await desk.idle()
    for (const reader of readers) if (!reader.isOpen) await reader.connect(port, STATES)
    hub.flush()
    for (const reader of readers)
      await until(() => {
        hub.beat()
        expect(reader.resume?.seq).toBe(hub.seq)
        for (const topic of STATES)
          expect(sorted(reader.state.get(topic)), topic).toEqual(sorted(listed(topic)))
      })
  }
  await apply({ kind: 'quote', bid: 50_000 })
  return { readers, apply, cancel, expectSameState }
}

/** Rows by id: the order of a list is the console's matter, which adds new orders at its start. */
function sorted(state: Record<string, unknown> | undefined): unknown {
  if (state === undefined) return undefined
  const byId = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort()
  return Object.fromEntries(
    Object.entries(state).map(([name, value]) => [name, Array.isArray(value) ? byId(value) : value]),
  )
}

test('[STREAM-11] whatever changes and however often it is cut, a client ends with the state of the server', async () => {
  const run = async (acts: readonly Act[]) => {
    const { apply, expectSameState } = await aDeskWith(1)
    for (const done of acts) await apply(done)
    await expectSameState()
  }
  await fc.assert(fc.asyncProperty(fc.array(act, { maxLength: 40 }), run), generated('streamHistories'))
})

test('[STREAM-11] clients of a long session that is cut again and again all end with the state of the server', async () => {
  const { readers, apply, cancel, expectSameState } = await aDeskWith(CLIENTS)
  const end = performance.now() + SECONDS * 1_000
  for (let batch = 0; batch === 0 || performance.now() < end; batch++) {
    const steps = fc.sample(fc.tuple(act, fc.constantFrom(...readers)), {
      numRuns: BATCH,
      seed: testSeed() + batch,
    })
    for (const [done, reader] of steps) {
      await apply(done, reader)
      if (done.kind === 'cut') reader.frames.length = 0
    }
    // So that orders are not refused most of the time, and the list stays short.
    for (const done of RESTORING_ACTS) await apply(done)
    while ((await cancel(0)) > MAX_WORKING);
  }
  await expectSameState()
})
