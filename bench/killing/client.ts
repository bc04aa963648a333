import { type Api, type Reply, type ReportedLimits, Unknown } from './api.ts'
import type { Chance } from './chance.ts'
import { type ExpectedOrder, expectOrder, type Model, type OrderRequest } from './model.ts'

/** One person at the console: acts again and again, and notes what was acknowledged. */
export interface Client {
  /** Acts until the server is gone or enough was done. */
  actUntilLost(api: Api, acts: number): Promise<void>
}

/** So many orders lie between an order and the newest at most, while a few clients trade at once. */
const NEWEST = '?limit=50'
/** No market comes here, so such an order works until it is cancelled. */
const FAR_PRICE = 1000
/** So that lists stay short, a client that has this many orders working cancels first. */
const MAX_WORKING_ORDERS = 8

export function createClient(model: Model, chance: Chance, mayChangeLimits: boolean): Client {
  const working: ExpectedOrder[] = []
  const limitsShare = mayChangeLimits ? 0.15 : 0

  /** What is done next, by chance: cancels and changes need an order that works. */
  function act(api: Api): Promise<void> {
    const dice = chance.next()
    if (dice < limitsShare) return changeLimits(api)
    if (dice < 0.4) return place(api, aMarketOrder(chance))
    const order = chance.pick(working)
    if (order === undefined || dice > 0.75) return place(api, aFarOrder(chance))
    return dice < 0.6 || !mayChange(order) ? cancel(api, order) : modify(api, order)
  }

  function mayChange({ isChanged }: ExpectedOrder): boolean {
    return !isChanged && working.length <= MAX_WORKING_ORDERS
  }

  async function place(api: Api, request: OrderRequest): Promise<void> {
    const order = expectOrder(model, request)
    const { status, body } = await reply(api.place(request, order.key))
    if (status !== 201) {
      model.wrong.push(`placing ${order.key} was answered ${status}`)
      return
    }
    order.id = body.id
    if (request.type === 'LIMIT' && body.status === 'PENDING') working.push(order)
    const newest = await api.orders(NEWEST)
    if (!newest.some(({ id }) => id === body.id)) {
      model.wrong.push(`${body.id} was acknowledged and is not in the next list`)
    }
  }

  async function cancel(api: Api, order: ExpectedOrder): Promise<void> {
    working.splice(working.indexOf(order), 1)
    order.cancel = 'maybe'
    const { status } = await reply(api.cancel(order.id ?? ''))
    order.cancel = status === 200 ? 'asked' : 'no'
  }

  async function modify(api: Api, order: ExpectedOrder): Promise<void> {
    order.isChanged = true
    order.maybePrice = somePrice(chance)
    const { status } = await reply(api.modify(order.id ?? '', { price: order.maybePrice }))
    if (status === 200) order.price = order.maybePrice
    order.maybePrice = undefined
  }

  async function changeLimits(api: Api): Promise<void> {
    const limits: ReportedLimits = {
      max_order_size: 10_000 + chance.below(1000),
      max_position_size: 50_000 + chance.below(1000),
      max_daily_loss: 5000 + chance.below(1000),
      max_positions: 10 + chance.below(10),
    }
    model.maybeLimits = limits
    const { status } = await reply(api.saveLimits(limits))
    if (status === 200) model.limits = limits
    model.maybeLimits = undefined
    const shown = await api.limits()
    if (JSON.stringify(shown) !== JSON.stringify(model.limits)) {
      model.wrong.push('limits were acknowledged and the next reading shows others')
    }
  }

  async function reply<Body>(reply: Promise<Reply<Body>>): Promise<Reply<Body>> {
    const answer = await reply.catch((lost: unknown) => {
      model.unknown += 1
      throw lost
    })
    model.acknowledged += 1
    return answer
  }

  return {
    async actUntilLost(api, acts) {
      // What was cancelled or filled by others' doing is found out by the checks, not here.
      working.splice(0, working.length, ...working.filter(({ final }) => final === undefined))
      try {
        for (let done = 0; done < acts; done++) await act(api)
      } catch (lost) {
        if (!(lost instanceof Unknown)) throw lost
      }
    },
  }
}

function aMarketOrder(chance: Chance): OrderRequest {
  const side = chance.next() < 0.5 ? 'BUY' : 'SELL'
  return { instrument: 'BTCUSDT-PERP', side, type: 'MARKET', quantity: someQuantity(chance), price: null }
}

function aFarOrder(chance: Chance): OrderRequest {
  const price = somePrice(chance)
  return { instrument: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: someQuantity(chance), price }
}

function someQuantity(chance: Chance): number {
  return (1 + chance.below(9)) / 1000
}

function somePrice(chance: Chance): number {
  return 1 + chance.below(FAR_PRICE)
}
