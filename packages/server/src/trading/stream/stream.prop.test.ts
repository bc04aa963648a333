import { idFrom, type OrderId, standardInstruments } from '@binnacle/engine'
import { anOrder, aQuote, generated } from '@binnacle/engine/testkit'
import { until } from '@binnacle/stores/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aStreamServer, StreamReader, TRADER_ID } from '#testkit/stream.ts'
import { wallClock } from '#trading/runtime/wall-clock.ts'
import { type DeskTopic, OFFERED_TOPICS, snapshotOf } from './stream-rows.ts'

const instruments = standardInstruments()

/** Fills are events, not a state. */
const STATES: readonly DeskTopic[] = OFFERED_TOPICS.filter((topic) => topic !== 'fills')

type Act =
  | { kind: 'place'; price: number }
  | { kind: 'fill'; side: 'BUY' | 'SELL' }
  | { kind: 'cancel'; number: number }
  | { kind: 'quote'; bid: number }
  | { kind: 'state'; to: 'ACTIVE' | 'REDUCING' | 'HALTED' }
  | { kind: 'component'; isStart: boolean; component: 'MessageBus' | 'Portfolio' | 'RiskEngine' }
  | { kind: 'strategy'; name: string }
  | { kind: 'flush' }
  | { kind: 'cut' }
  | { kind: 'connect' }

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
    arbitrary: fc.record({ kind: fc.constant('cancel' as const), number: fc.integer({ min: 1, max: 20 }) }),
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
  { weight: 3, arbitrary: fc.constant({ kind: 'connect' as const }) },
)

async function run(acts: readonly Act[]): Promise<void> {
  const { desk, hub, port } = await aStreamServer()
  const reader = new StreamReader()
  let isConnected = false
  const connect = async () => {
    if (!isConnected) await reader.connect(port, STATES)
    isConnected = true
  }
  const apply = async (done: Act): Promise<unknown> => {
    switch (done.kind) {
      case 'place':
        return desk.submit(anOrder({ orderType: 'LIMIT', price: done.price, quantity: 0.001 }))
      case 'fill':
        return desk.submit(anOrder({ side: done.side, quantity: 0.001, instrument: 'BTCUSDT-PERP' }))
      case 'cancel':
        return desk.submit({ type: 'CancelOrder', orderId: idFrom<OrderId>(`O-${done.number}`) })
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
        reader.cut()
        isConnected = false
        return undefined
      case 'connect':
        // While the bus is stopped a client gets no snapshot, so it would not be in sync.
        return hub.pausedBecause === null ? connect() : undefined
      default:
        return done satisfies never
    }
  }
  await apply({ kind: 'quote', bid: 50_000 })
  for (const done of acts) await apply(done)
  await desk.idle()
  await desk.submit({ type: 'StartComponent', component: 'MessageBus' })
  await connect()
  hub.flush()
  const { seq } = hub
  hub.beat()
  await until(() => expect(reader.resume?.seq).toBeGreaterThanOrEqual(seq))
  for (const topic of STATES) {
    const expected = JSON.parse(JSON.stringify(snapshotOf[topic](desk, TRADER_ID)))
    expect(sorted(reader.state.get(topic)), topic).toEqual(sorted(expected))
  }
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
  await fc.assert(fc.asyncProperty(fc.array(act, { maxLength: 40 }), run), generated('streamHistories'))
})
