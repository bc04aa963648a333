import type { VenueReport } from '#model/input.ts'
import { assert } from '#values/bug.ts'
import type { OrderId } from '#values/ids.ts'
import type { Lab } from './lab.ts'

/** An adapter under test: an engine trades through it on a venue whose connection the case can cut. */
export interface AdapterBench {
  readonly lab: Lab
  /** Every report so far, in its order. */
  readonly reports: readonly VenueReport[]
  /** Ends the connection from the venue's side and refuses new ones. */
  cut(): void
  restore(): void
  /** The venue no longer has the order, and never reports it again. */
  forget(order: OrderId): void
  /** Moves the best price of the traded instrument, at the venue and here, and passes time. */
  trade(price: number): Promise<void>
  /** Passes time in small steps. */
  pass(ms: number): Promise<void>
}

export interface AdapterCase {
  readonly name: string
  run(bench: AdapterBench): Promise<void>
}

const LIMIT = { orderType: 'LIMIT', quantity: 0.01 } as const

/** What every adapter of a venue must do. The bench trades BTCUSDT-PERP at BINANCE, connected, at about 50,000. */
export const ADAPTER_CONFORMANCE: readonly AdapterCase[] = [
  {
    name: 'an order is accepted, filled and reported once',
    async run({ lab, reports, pass }) {
      const order = lab.place({ quantity: 0.01 })
      await pass(2_000)
      expectEqual(lab.order(order.id).state, 'FILLED')
      const fills = reports.filter((each) => each.type === 'filled' && each.orderId === order.id)
      expectEqual(
        fills.map((each) => each.type === 'filled' && each.fill),
        fills.map((_, index) => index + 1),
      )
    },
  },
  {
    name: 'a resting order is cancelled on request',
    async run({ lab, pass }) {
      const order = lab.place({ ...LIMIT, price: 48_000 })
      await pass(2_000)
      expectEqual(lab.order(order.id).state, 'WORKING')
      lab.run({ type: 'CancelOrder', orderId: order.id })
      await pass(2_000)
      expectEqual(lab.order(order.id).state, 'CANCELLED')
    },
  },
  {
    name: 'a lost connection is reported once, and orders stay at the venue',
    async run({ lab, reports, cut, pass }) {
      const order = lab.place({ ...LIMIT, price: 48_000 })
      await pass(2_000)
      cut()
      await pass(10_000)
      expectEqual(lab.state.connected.has('BINANCE'), false)
      const lost = lab.events.filter((event) => event.type === 'VenueDisconnected')
      expectEqual(lost.length, 1)
      expectEqual(lab.order(order.id).state, 'WORKING')
      expectEqual(
        reports.some((each) => each.type === 'cancelled'),
        false,
      )
    },
  },
  {
    name: 'an order that cannot be sent is rejected, so that none hangs',
    async run({ lab, cut, pass }) {
      const order = lab.place({ ...LIMIT, price: 48_000 })
      cut()
      await pass(10_000)
      expectEqual(['WORKING', 'REJECTED'].includes(lab.order(order.id).state), true)
    },
  },
  {
    name: 'fills during the loss arrive with the next connection, before it is reported',
    async run({ lab, reports, cut, restore, trade, pass }) {
      const order = lab.place({ ...LIMIT, price: 49_000 })
      await pass(2_000)
      cut()
      await pass(1_000)
      await trade(48_000)
      expectEqual(lab.order(order.id).state, 'WORKING')
      restore()
      await pass(200_000)
      expectEqual(lab.order(order.id).state, 'FILLED')
      const types = reports.map(({ type }) => type)
      expectEqual(types.lastIndexOf('filled') < types.lastIndexOf('connected'), true)
    },
  },
  {
    name: 'a cancel during the loss takes effect with the next connection',
    async run({ lab, cut, restore, pass }) {
      const order = lab.place({ ...LIMIT, price: 48_000 })
      await pass(2_000)
      cut()
      await pass(1_000)
      lab.run({ type: 'CancelOrder', orderId: order.id })
      await pass(5_000)
      expectEqual(lab.order(order.id).state, 'WORKING')
      restore()
      await pass(200_000)
      expectEqual(lab.order(order.id).state, 'CANCELLED')
    },
  },
  {
    name: 'a connection says which orders and positions the venue has, and they agree',
    async run({ lab, cut, restore, pass }) {
      lab.place({ quantity: 0.01 })
      lab.place({ ...LIMIT, price: 48_000 })
      await pass(2_000)
      cut()
      await pass(5_000)
      restore()
      await pass(200_000)
      const reconciled = lab.events.findLast((event) => event.type === 'VenueReconciled')
      expectEqual(reconciled, {
        type: 'VenueReconciled',
        venue: 'BINANCE',
        orders: 1,
        positions: 1,
        differences: [],
      })
    },
  },
  {
    name: 'an order that the venue no longer has is cancelled with the next connection, partly filled or not',
    async run({ lab, cut, restore, forget, pass }) {
      const [resting, partly] = [
        lab.place({ ...LIMIT, price: 48_000 }),
        lab.place({ ...LIMIT, price: 50_000.5, quantity: 0.02 }),
      ] as const
      await pass(2_000)
      lab.trade({ price: 50_000.5, size: 0.01, aggressor: 'SELL' })
      await pass(1_000)
      expectEqual([lab.order(resting.id).state, lab.order(partly.id).state], ['WORKING', 'PARTLY_FILLED'])
      cut()
      await pass(1_000)
      for (const { id } of [resting, partly]) forget(id)
      restore()
      await pass(200_000)
      const cancelled = [lab.order(resting.id), lab.order(partly.id)]
      expectEqual(
        cancelled.map(({ state, reason }) => [state, reason]),
        cancelled.map(() => ['CANCELLED', { code: 'cancel.reconciled', venue: 'BINANCE' }]),
      )
      const reconciled = lab.events.findLast((event) => event.type === 'VenueReconciled')
      expectEqual(reconciled?.type === 'VenueReconciled' && reconciled.differences, [
        `Order ${resting.id} is no longer open at BINANCE; cancelled.`,
        `Order ${partly.id} is no longer open at BINANCE; cancelled.`,
      ])
    },
  },
  {
    name: 'a venue that was switched off stays off',
    async run({ lab, pass }) {
      lab.run({ type: 'DisconnectVenue', venue: 'BINANCE' })
      await pass(200_000)
      expectEqual(lab.state.connected.has('BINANCE'), false)
      lab.run({ type: 'ConnectVenue', venue: 'BINANCE' })
      await pass(5_000)
      expectEqual(lab.state.connected.has('BINANCE'), true)
    },
  },
  {
    name: 'orders that are sent again after a restart of the desk work once',
    async run({ lab, reports, pass }) {
      const order = lab.place({ ...LIMIT, price: 48_000 })
      await pass(2_000)
      lab.resendToVenues()
      await pass(2_000)
      expectEqual(lab.order(order.id).state, 'WORKING')
      expectEqual(reports.filter((each) => each.type === 'accepted').length, 1)
    },
  },
]

function expectEqual(actual: unknown, expected: unknown): void {
  const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  assert(got === wanted, `${got} instead of ${wanted}`)
}
