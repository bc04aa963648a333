import {
  type Command,
  DEFAULT_LIMITS,
  type Desk,
  idFrom,
  type OrderId,
  type OrderPreview,
  type OrderView,
  type Outcome,
  type PlaceOrder,
  type PositionView,
  type PreviewOutcome,
  type StrategyId,
  type ViewsChange,
} from '@binnacle/engine'
import { expect } from 'vitest'

/** An open desk with its market, as every implementation of the port is tested. */
export interface DeskSubject {
  readonly desk: Desk
  /** A perpetual whose tick is at most 0.1 and whose lot is at most 0.001. */
  readonly instrument: string
  readonly venue: string
  /** Moves the market of the instrument; the ask is 1 above the bid. */
  quote(bid: number): Promise<void>
  /** Whether it is the embedded engine. The others differ where `DESK_DIFFERENCES` says so. */
  readonly isEmbedded: boolean
}

export interface DeskCase {
  readonly title: string
  run(subject: DeskSubject): Promise<void>
}

/** Where a NautilusTrader node differs from the embedded engine. The guide lists the same. */
export const DESK_DIFFERENCES: readonly { readonly what: string; readonly command: Command }[] = [
  { what: 'stopping', command: { type: 'StopComponent', component: 'RiskEngine' } },
  {
    what: 'configuring a component',
    command: { type: 'ConfigureComponent', component: 'DataEngine', config: '{}' },
  },
  {
    what: 'switching features',
    command: { type: 'SwitchFeature', feature: 'multi-exchange', isEnabled: false },
  },
  { what: 'switching services', command: { type: 'StopService', service: 'analytics' } },
]

const BID = 50_000

type ChangeExits = Extract<Command, { type: 'ChangeExits' }>

/** What every desk does, with nothing open, a quote of 50,000 to 50,001 and the default limits. */
export const DESK_CASES: readonly DeskCase[] = [
  {
    title: 'a market order fills at the touch and opens a position',
    async run(subject) {
      const { desk, instrument } = subject
      const order = await place(subject, {})
      expect(order).toMatchObject({ status: 'FILLED', filled: 0.1, averagePrice: BID + 1, side: 'BUY' })
      expect(order).toMatchObject({ instrument, strategy: 'MANUAL', reason: null })
      expect(order.fees).toBeGreaterThan(0)
      expect(await reachPosition(subject, ({ quantity }) => quantity === 0.1)).toMatchObject({
        side: 'LONG',
        entryPrice: BID + 1,
        strategy: 'MANUAL',
      })
      expect(desk.orderHistory.find(order.id)).toMatchObject({ status: 'FILLED' })
      const { rows: fills } = desk.orderHistory.fills({ limit: 10, orderId: order.id })
      expect(sum(fills.map(({ quantity }) => quantity))).toBeCloseTo(0.1, 8)
      expect(sum(fills.map(({ fee }) => fee))).toBeCloseTo(order.fees, 8)
    },
  },
  {
    title: 'each function of the rows can be passed on by itself',
    async run(subject) {
      const order = await place(subject, {})
      const { views } = subject.desk
      const { orders, order: find, strategyName, quotes, instruments, book, risk, account, engine } = views
      expect(orders()).toEqual(views.orders())
      expect(find(order.id)).toEqual(order)
      expect(strategyName(order.strategy)).toBeUndefined()
      expect(quotes().map(({ instrument }) => instrument)).toContain(order.instrument)
      expect(book(order.instrument)?.bids[0]?.price).toBe(BID)
      expect(instruments().map(({ id }) => id)).toContain(order.instrument)
      expect(risk().equity).toBe(account().equity)
      expect(engine().venues.map(({ id }) => id)).toContain(subject.venue)
      const { strategies, strategy, removedStrategies, orderOfKey, positions, emergency } = views
      expect([...strategies(), ...removedStrategies().filter(({ name }) => name === '')]).toEqual([])
      expect(strategy(order.strategy)).toBeNull()
      expect(orderOfKey(idFrom('no-key'))).toBeNull()
      expect(positions().length).toBe(emergency().open.length)
    },
  },
  {
    title: 'a limit order waits until the market reaches it',
    async run(subject) {
      const order = await place(subject, { orderType: 'LIMIT', price: BID - 100 })
      expect(order).toMatchObject({ status: 'PENDING', price: BID - 100, filled: 0, averagePrice: null })
      await subject.quote(BID - 200)
      expect(await reachOrder(subject, order.id, isDone)).toMatchObject({ status: 'FILLED', filled: 0.1 })
    },
  },
  {
    title: 'a working order is modified and cancelled; a finished one is refused',
    async run(subject) {
      const { desk } = subject
      const { id: orderId } = await place(subject, { orderType: 'LIMIT', price: BID - 100 })
      await accepted(desk.submit({ type: 'ModifyOrder', orderId, price: BID - 150, quantity: 0.05 }))
      await reachOrder(subject, orderId, ({ price, quantity }) => price === BID - 150 && quantity === 0.05)
      expect(await desk.submit({ type: 'ModifyOrder', orderId, price: BID - 150 })).toMatchObject({
        ok: false,
        reason: { code: 'order.unchanged' },
      })
      await accepted(desk.submit({ type: 'CancelOrder', orderId }))
      expect(await reachOrder(subject, orderId, isDone)).toMatchObject({ status: 'CANCELLED', filled: 0 })
      expect(await desk.submit({ type: 'CancelOrder', orderId })).toMatchObject({
        ok: false,
        reason: { code: 'order.finished' },
      })
    },
  },
  {
    title: 'a stop order triggers and fills',
    async run(subject) {
      await place(subject, {})
      await reachPosition(subject, ({ quantity }) => quantity === 0.1)
      const order = await place(subject, {
        side: 'SELL',
        orderType: 'STOP',
        price: BID - 500,
        reduceOnly: true,
      })
      expect(order).toMatchObject({ status: 'PENDING', type: 'STOP', price: BID - 500, reduceOnly: true })
      await subject.quote(BID - 600)
      expect(await reachOrder(subject, order.id, isDone)).toMatchObject({ status: 'FILLED' })
      await reachFlat(subject)
    },
  },
  {
    title: 'an IOC limit that cannot fill is cancelled',
    async run(subject) {
      const order = await place(subject, { orderType: 'LIMIT', price: BID - 100, timeInForce: 'IOC' })
      expect(await reachOrder(subject, order.id, isDone)).toMatchObject({ status: 'CANCELLED', filled: 0 })
    },
  },
  {
    title: 'an order above a limit is denied with the limit, and is an order all the same',
    async run(subject) {
      const order = await place(subject, { quantity: 1 })
      expect(order).toMatchObject({ status: 'REJECTED', filled: 0 })
      expect(order.reason?.sentence).toContain('Max Order Size')
      expect((await subject.desk.orderTimeline(order)).entries.map(({ event }) => event)).toEqual([
        'OrderDenied',
      ])
    },
  },
  {
    title: 'the preview of an order says what its placing then does, and places nothing',
    async run(subject) {
      const { desk, instrument } = subject
      const terms = {
        type: 'PlaceOrder',
        instrument,
        side: 'BUY',
        orderType: 'MARKET',
        quantity: 0.1,
      } as const
      const orders = desk.views.orders().length
      const said = await previewed(desk.preview(terms))
      expect(desk.views.orders()).toHaveLength(orders)
      const order = await place(subject, {})
      expect(said.denial).toBeNull()
      expect(said.fill).toMatchObject({ quantity: order.filled, price: order.averagePrice, fee: order.fees })
      expect(said.position).toEqual({ before: 0, after: 0.1 })
      expect(said.limits.orderSize.after).toBe(5_000.1)
      await reachPosition(subject, ({ quantity }) => quantity === 0.1)
      const resting = await previewed(desk.preview({ ...terms, orderType: 'LIMIT', price: BID - 100 }))
      expect(resting.rest).toMatchObject({ quantity: 0.1, price: BID - 100 })
      expect(resting.position).toEqual({ before: 0.1, after: 0.1 })
      const denied = await previewed(desk.preview({ ...terms, quantity: 1 }))
      expect(denied.denial?.sentence).toContain('Max Order Size')
      const malformed = await desk.preview({ ...terms, quantity: -1 })
      expect(malformed.ok).toBe(false)
    },
  },
  {
    title: 'changed limits decide the next order; invalid ones are refused',
    async run(subject) {
      const { desk } = subject
      const limits = { ...DEFAULT_LIMITS, maxOrderSize: 1_000 }
      await accepted(desk.submit({ type: 'ChangeLimits', limits }))
      await reach(subject, () => desk.views.risk().limits.maxOrderSize === 1_000)
      expect((await place(subject, {})).reason?.sentence).toContain('Max Order Size')
      const wrong = { ...limits, maxOrderSize: -1 }
      expect(await desk.submit({ type: 'ChangeLimits', limits: wrong })).toMatchObject({
        ok: false,
        reason: { code: 'limit.invalid', limit: 'maxOrderSize' },
      })
    },
  },
  {
    title: 'REDUCING lets only reducing orders through, HALTED none; cancels pass',
    async run(subject) {
      const { desk } = subject
      await place(subject, {})
      await reachPosition(subject, ({ quantity }) => quantity === 0.1)
      const resting = await place(subject, {
        side: 'SELL',
        orderType: 'LIMIT',
        price: BID + 500,
        quantity: 0.05,
        reduceOnly: true,
      })
      await accepted(desk.submit({ type: 'ChangeTradingState', to: 'REDUCING' }))
      await reach(subject, () => desk.views.risk().tradingState === 'REDUCING')
      expect(await place(subject, {})).toMatchObject({ status: 'REJECTED' })
      expect(await place(subject, { side: 'SELL', quantity: 0.05, reduceOnly: true })).toMatchObject({
        status: 'FILLED',
      })
      await accepted(desk.submit({ type: 'ChangeTradingState', to: 'HALTED' }))
      await reach(subject, () => desk.views.risk().tradingState === 'HALTED')
      expect(await place(subject, { side: 'SELL', quantity: 0.05 })).toMatchObject({ status: 'REJECTED' })
      if (desk.views.order(resting.id)?.status === 'PENDING') {
        await accepted(desk.submit({ type: 'CancelOrder', orderId: resting.id }))
      }
      expect(await reachOrder(subject, resting.id, isDone)).toMatchObject({ status: 'CANCELLED' })
    },
  },
  {
    title: 'a position is closed in part and in full, and its result is in the account',
    async run(subject) {
      const { desk } = subject
      const before = desk.views.account()
      await place(subject, {})
      const { id: positionId } = await reachPosition(subject, ({ quantity }) => quantity === 0.1)
      await subject.quote(BID + 100)
      expect(await desk.submit({ type: 'ClosePosition', positionId, quantity: 0.2 })).toMatchObject({
        ok: false,
        reason: { code: 'quantity.above-position' },
      })
      await accepted(desk.submit({ type: 'ClosePosition', positionId, quantity: 0.04 }))
      await reachPosition(subject, ({ quantity }) => quantity === 0.06)
      await accepted(desk.submit({ type: 'ClosePosition', positionId }))
      await reachFlat(subject)
      // Bought at 50,001 and sold at 50,100.
      await reach(subject, () => near(desk.views.account().realised - before.realised, 9.9))
      const account = desk.views.account()
      expect(account.equity - before.equity).toBeCloseTo(9.9 - (account.fees - before.fees), 6)
      expect(desk.orderHistory.closedPositions({ limit: 1 }).rows).toMatchObject([
        { id: positionId, side: 'LONG' },
      ])
      expect(await desk.submit({ type: 'ClosePosition', positionId })).toMatchObject({
        ok: false,
        reason: { code: 'position.unknown' },
      })
    },
  },
  {
    title: 'exit prices are set, changed, removed, and refused with their numbers',
    async run(subject) {
      const { desk } = subject
      await place(subject, {})
      const { id: positionId } = await reachPosition(subject, ({ quantity }) => quantity === 0.1)
      const change = (exits: Pick<ChangeExits, 'stopLoss' | 'takeProfit'>) =>
        desk.submit({ type: 'ChangeExits', positionId, ...exits })
      await accepted(change({ stopLoss: BID - 1_000, takeProfit: BID + 1_000 }))
      await reachPosition(subject, (it) => it.stopLoss === BID - 1_000 && it.takeProfit === BID + 1_000)
      await accepted(change({ takeProfit: null }))
      await reachPosition(subject, (it) => it.stopLoss === BID - 1_000 && it.takeProfit === null)
      expect(await change({ stopLoss: BID + 1_000 })).toMatchObject({
        ok: false,
        reason: {
          code: 'exit.past-market',
          exit: 'stop-loss',
          isLong: true,
          price: BID + 1_000,
          market: BID,
        },
      })
      expect(await change({ takeProfit: 0.000000001 })).toMatchObject({
        ok: false,
        reason: { code: 'exit.malformed', exit: 'take-profit', problem: { code: 'price.off-tick' } },
      })
      const positionIdOfNone = idFrom<ChangeExits['positionId']>('P-999')
      expect(
        await desk.submit({ type: 'ChangeExits', positionId: positionIdOfNone, stopLoss: 1 }),
      ).toMatchObject({ ok: false, reason: { code: 'position.unknown' } })
    },
  },
  {
    title: 'the market reaches an exit price, and one reduce-only market order closes the position',
    async run(subject) {
      const { desk } = subject
      await place(subject, {})
      const { id: positionId } = await reachPosition(subject, ({ quantity }) => quantity === 0.1)
      const before = new Set(desk.views.orders().map(({ id }) => id))
      await accepted(desk.submit({ type: 'ChangeExits', positionId, stopLoss: BID - 500 }))
      await subject.quote(BID - 499)
      expect(desk.views.positions()).toHaveLength(1)
      await subject.quote(BID - 600)
      await reachFlat(subject)
      const [closing, ...others] = desk.views.orders().filter(({ id }) => !before.has(id))
      expect(others).toEqual([])
      expect(closing).toMatchObject({
        type: 'MARKET',
        side: 'SELL',
        reduceOnly: true,
        status: 'FILLED',
        averagePrice: BID - 600,
      })
    },
  },
  {
    title: 'a sell without a position opens a short one',
    async run(subject) {
      await place(subject, { side: 'SELL' })
      expect(await reachPosition(subject, () => true)).toMatchObject({ side: 'SHORT', quantity: 0.1 })
    },
  },
  {
    title: 'the same key is the same order; with other terms it is refused',
    async run(subject) {
      const { desk } = subject
      const key = idFrom<NonNullable<PlaceOrder['key']>>('one-key')
      const count = desk.views.orders().length
      const first = await place(subject, { key })
      const again = await accepted(desk.submit(anOrder(subject, { key })))
      expect(again).toMatchObject({ orderId: first.id, repeats: expect.any(Number) })
      expect(desk.views.orderOfKey(key)).toBe(first.id)
      expect(desk.views.orders()).toHaveLength(count + 1)
      expect(await desk.submit(anOrder(subject, { key, quantity: 0.2 }))).toMatchObject({
        ok: false,
        reason: { code: 'key.used' },
      })
    },
  },
  {
    title: 'a repeated key is compared with all terms of its first order, also after a change of it',
    async run(subject) {
      const { desk } = subject
      const key = idFrom<NonNullable<PlaceOrder['key']>>('changed-key')
      const limit = { key, orderType: 'LIMIT', price: BID - 500 } as const
      const first = await place(subject, limit)
      await accepted(desk.submit({ type: 'ModifyOrder', orderId: first.id, price: BID - 600 }))
      await reachOrder(subject, first.id, ({ price }) => price === BID - 600)
      expect(await accepted(desk.submit(anOrder(subject, limit)))).toMatchObject({ orderId: first.id })
      const others = [{ price: BID - 600 }, { timeInForce: 'IOC' }, { reduceOnly: true }] as const
      for (const other of others) {
        expect(await desk.submit(anOrder(subject, { ...limit, ...other }))).toMatchObject({
          ok: false,
          reason: { code: 'key.used' },
        })
      }
    },
  },
  {
    title: 'malformed orders are refused and leave no order',
    async run(subject) {
      const { desk } = subject
      const before = desk.views.orders()
      const codeOf = async (given: Partial<PlaceOrder>) => {
        const outcome = await desk.submit(anOrder(subject, given))
        return outcome.ok ? 'accepted' : outcome.reason.code
      }
      expect(await codeOf({ instrument: 'XYZ' })).toBe('instrument.unknown')
      expect(await codeOf({ quantity: 0 })).toBe('quantity.zero')
      expect(await codeOf({ quantity: 0.123456789 })).toBe('quantity.off-lot')
      expect(await codeOf({ orderType: 'LIMIT' })).toBe('price.missing')
      expect(await codeOf({ orderType: 'LIMIT', price: 0.000000001 })).toBe('price.off-tick')
      expect(await codeOf({ orderType: 'MARKET', timeInForce: 'GTC' })).toBe('time-in-force.unsupported')
      expect(desk.views.orders()).toEqual(before)
    },
  },
  {
    title: 'what does not exist is refused by its name',
    async run({ desk }) {
      const cases: [Command, string][] = [
        [{ type: 'CancelOrder', orderId: idFrom('O-999') }, 'order.unknown'],
        [{ type: 'ClosePosition', positionId: idFrom('P-999') }, 'position.unknown'],
        [{ type: 'StartStrategy', strategy: idFrom('S-999') }, 'strategy.unknown'],
      ]
      for (const [command, code] of cases) {
        expect(await desk.submit(command)).toMatchObject({ ok: false, reason: { code } })
      }
    },
  },
  {
    title: 'a strategy is added stopped, started, renamed, stopped and removed',
    async run(subject) {
      const { desk } = subject
      const added = await accepted(
        desk.submit({
          type: 'AddStrategy',
          name: 'Follower',
          strategyType: 'momentum',
          description: 'Follows.',
          config: { instrument: subject.instrument },
        }),
      )
      const strategy = added.strategy ?? idFrom<StrategyId>('')
      const status = () => desk.views.strategy(strategy)?.status
      await reach(subject, () => status() === 'stopped')
      expect(desk.views.strategy(strategy)).toMatchObject({ name: 'Follower', type: 'momentum', trades: 0 })
      await accepted(desk.submit({ type: 'StartStrategy', strategy }))
      await reach(subject, () => status() === 'running')
      await accepted(desk.submit({ type: 'RenameStrategy', strategy, name: 'Leader' }))
      await reach(subject, () => desk.views.strategyName(strategy) === 'Leader')
      await accepted(desk.submit({ type: 'StopStrategy', strategy }))
      await reach(subject, () => status() === 'stopped')
      await accepted(desk.submit({ type: 'RemoveStrategy', strategy }))
      await reach(subject, () => desk.views.strategy(strategy) === null)
      expect(desk.views.removedStrategies()).toMatchObject([{ id: strategy, name: 'Leader' }])
      expect(desk.kinds.map(({ type }) => type)).toContain('momentum')
    },
  },
  {
    title: 'the emergency control cancels, closes and halts',
    async run(subject) {
      const { desk } = subject
      await place(subject, {})
      await reachPosition(subject, ({ quantity }) => quantity === 0.1)
      await place(subject, { orderType: 'LIMIT', price: BID - 500 })
      await accepted(desk.submit({ type: 'StartEmergency' }))
      await subject.quote(BID)
      await reachFlat(subject)
      await reach(subject, () => desk.views.risk().tradingState === 'HALTED')
      expect(desk.views.orders().filter(({ status }) => status === 'PENDING')).toEqual([])
      await reach(subject, () => desk.views.emergency().outcome === 'flat')
      const report = desk.views.emergency().venues.find(({ venue }) => venue === subject.venue)
      expect(report).toMatchObject({ ordersAtStart: 1, positionsAtStart: 1, orders: 0, positions: 0 })
      expect(report).toMatchObject({ ordersLeft: 0, positionsLeft: 0 })
      expect(desk.views.emergency().resumedAt).toBeNull()
      await accepted(desk.submit({ type: 'ChangeTradingState', to: 'ACTIVE' }))
      await reach(subject, () => desk.views.emergency().resumedAt !== null)
    },
  },
  {
    title: 'a disconnected venue takes no orders until it is connected again',
    async run(subject) {
      const { desk, venue } = subject
      const isConnected = () => desk.views.engine().venues.find(({ id }) => id === venue)?.isConnected
      const known = desk.views.engine().venues.find(({ id }) => id === venue)?.id
      if (known === undefined) throw new Error(`no venue ${venue}`)
      await accepted(desk.submit({ type: 'DisconnectVenue', venue: known }))
      await reach(subject, () => isConnected() === false)
      expect(await place(subject, {})).toMatchObject({ status: 'REJECTED' })
      await accepted(desk.submit({ type: 'ConnectVenue', venue: known }))
      await reach(subject, () => isConnected() === true)
      await subject.quote(BID)
      expect(await place(subject, {})).toMatchObject({ status: 'FILLED' })
    },
  },
  {
    title: 'each change has a later revision, its orders and its fills',
    async run(subject) {
      const { desk } = subject
      const revisions: number[] = []
      const rows: Pick<ViewsChange, 'orders' | 'fills' | 'views'>[] = []
      const stop = desk.onChange((change) => {
        revisions.push(change.revision)
        if (change.kind !== 'views') return
        const { orders, fills, orderCount, fillCount } = change
        expect([orderCount, fillCount]).toEqual([orders.length, fills.length])
        rows.push({ orders, fills, views: change.views })
      })
      const order = await place(subject, {})
      await reachPosition(subject, ({ quantity }) => quantity === 0.1)
      stop()
      expect(revisions).toEqual(revisions.toSorted((one, other) => one - other))
      const seen = rows.flatMap(({ orders }) => orders).filter(({ id }) => id === order.id)
      expect(seen.at(-1)).toMatchObject({ status: 'FILLED' })
      const fills = rows.flatMap((change) => change.fills)
      expect(sum(fills.map(({ quantity }) => quantity))).toBeCloseTo(0.1, 8)
      expect(rows.some((change) => change.views.has('positions'))).toBe(true)
    },
  },
  {
    title: 'what a node cannot do is refused in words, and only there',
    async run({ desk, isEmbedded }) {
      for (const { what, command } of DESK_DIFFERENCES) {
        const outcome = await desk.submit(command)
        const refused = {
          ok: false,
          reason: { code: 'engine.not-offered', what: expect.stringContaining(what) },
        }
        if (isEmbedded) expect(outcome).not.toMatchObject({ reason: { code: 'engine.not-offered' } })
        else expect(outcome).toMatchObject(refused)
      }
    },
  },
]

function anOrder({ instrument }: DeskSubject, given: Partial<PlaceOrder>): PlaceOrder {
  return { type: 'PlaceOrder', instrument, side: 'BUY', orderType: 'MARKET', quantity: 0.1, ...given }
}

/** Places an order; a market order is returned when it is finished. */
async function place(subject: DeskSubject, given: Partial<PlaceOrder>): Promise<OrderView> {
  const command = anOrder(subject, given)
  const { orderId } = await accepted(subject.desk.submit(command))
  const id = orderId ?? idFrom<OrderId>('')
  const isMarket = command.orderType === 'MARKET'
  return reachOrder(subject, id, (order) => !isMarket || isDone(order))
}

async function previewed(preview: Promise<PreviewOutcome>): Promise<OrderPreview> {
  const outcome = await preview
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.reason))
  return outcome.value
}

async function accepted(submitted: Promise<Outcome>): Promise<Extract<Outcome, { ok: true }>> {
  const outcome = await submitted
  if (!outcome.ok) throw new Error(`refused: ${JSON.stringify(outcome.reason)}`)
  return outcome
}

async function reachOrder(
  subject: DeskSubject,
  id: OrderId,
  claim: (order: OrderView) => boolean,
): Promise<OrderView> {
  const order = () => subject.desk.views.order(id)
  await reach(subject, () => {
    const found = order()
    return found !== null && claim(found)
  })
  // The claim above holds for it.
  return order() as OrderView
}

async function reachPosition(
  subject: DeskSubject,
  claim: (position: PositionView) => boolean,
): Promise<PositionView> {
  const find = () => subject.desk.views.positions().find(claim)
  await reach(subject, () => find() !== undefined)
  // The claim above holds for it.
  return find() as PositionView
}

function reachFlat(subject: DeskSubject): Promise<void> {
  return reach(subject, () => subject.desk.views.positions().length === 0)
}

/** Waits for changes of the desk until the claim holds. */
async function reach({ desk }: DeskSubject, claim: () => boolean): Promise<void> {
  while (!claim()) await desk.changed()
}

function isDone({ status }: OrderView): boolean {
  return status !== 'PENDING'
}

function near(value: number, expected: number): boolean {
  return Math.abs(value - expected) < 1e-6
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
