import { setTimeout } from 'node:timers/promises'
import type { Api, ApiOrder, ReportedLimits } from './api.ts'
import type { ExpectedOrder, Model } from './model.ts'

const SETTLE_MS = 20_000
const POLL_MS = 50
const LOTS_PER_UNIT = 100_000
const PAGE = 1000

/** Compares a server that has just started with what was acknowledged before; differences go to the model. */
export async function checkAfterStart(api: Api, model: Model): Promise<void> {
  await askAgain(api, model)
  const orders = await settled(api, model)
  checkNumbers(model)
  for (const expected of model.orders) checkOrder(expected, orders, model)
  await checkPositions(api, model)
  await checkLimits(api, model)
}

/** Every order there is, page by page: finished ones are as they were when they finished. */
export async function checkWholeHistory(api: Api, model: Model): Promise<void> {
  const byId = new Map<string, ApiOrder>()
  for (let cursor = ''; ; ) {
    const page = await api.orders(`?limit=${PAGE}${cursor}`)
    for (const order of page) {
      if (byId.has(order.id)) model.wrong.push(`${order.id} is listed twice`)
      byId.set(order.id, order)
    }
    const last = page.at(-1)
    if (last === undefined) break
    cursor = `&cursor=${last.id}`
  }
  if (byId.size !== model.orders.length) {
    model.wrong.push(`${byId.size} orders are listed, ${model.orders.length} were placed`)
  }
  for (const expected of model.orders) checkOrder(expected, byId, model)
}

/** What nobody knows of is asked again with the same key; the answer is the first one, or the first time. */
async function askAgain(api: Api, model: Model): Promise<void> {
  for (const order of model.orders) {
    if (order.id !== undefined) continue
    const { status, body } = await api.place(order.request, order.key)
    if (status === 201) order.id = body.id
    else model.wrong.push(`asking again for ${order.key} was answered ${status}`)
  }
  const known = model.orders.findLast(({ final }) => final === undefined)
  if (known === undefined) return
  const again = await api.place(known.request, known.key)
  if (again.body.id !== known.id) model.wrong.push(`${known.key} gave ${known.id} and then ${again.body.id}`)
}

/** Waits until nothing is on its way any more: what still works was not asked to end, and has its last price. */
async function settled(api: Api, model: Model): Promise<Map<string, ApiOrder>> {
  const end = performance.now() + SETTLE_MS
  for (;;) {
    const shown = new Map((await api.orders()).map((order) => [order.id, order]))
    const isOnItsWay = model.orders.some((expected) => {
      const order = shown.get(expected.id ?? '')
      return order !== undefined && order.status === 'PENDING' && isMoving(expected, order)
    })
    if (!isOnItsWay || performance.now() > end) return shown
    await setTimeout(POLL_MS)
  }
}

function isMoving({ request, cancel, price, maybePrice }: ExpectedOrder, order: ApiOrder): boolean {
  if (request.type === 'MARKET' || cancel === 'asked') return true
  // An unanswered change is applied soon or never; an acknowledged price must be applied.
  return maybePrice === undefined && order.price !== price
}

/** Orders are numbered without gaps: as many numbers as keys, each once, means none lost and none twice. */
function checkNumbers(model: Model): void {
  const ids = new Set(model.orders.map(({ id }) => id))
  for (let number = 1; number <= model.orders.length; number++) {
    if (!ids.has(`O-${number}`)) model.wrong.push(`no key led to O-${number}`)
  }
  if (ids.size !== model.orders.length) model.wrong.push('two keys led to one order')
}

function checkOrder(expected: ExpectedOrder, shown: ReadonlyMap<string, ApiOrder>, model: Model): void {
  const order = shown.get(expected.id ?? '')
  if (order === undefined) {
    // The list goes back 500 orders; what finished before was seen before.
    if (expected.final === undefined) model.wrong.push(`${expected.id} was acknowledged and is gone`)
    return
  }
  for (const field of ['instrument', 'side', 'type', 'quantity'] as const) {
    if (order[field] !== expected.request[field]) model.wrong.push(`${order.id} has another ${field}`)
  }
  if (order.status === 'PENDING') checkWorking(expected, order, model)
  else checkFinished(expected, order, model)
}

function checkWorking(expected: ExpectedOrder, order: ApiOrder, model: Model): void {
  if (expected.final !== undefined) model.wrong.push(`${order.id} had finished and works again`)
  if (expected.request.type === 'MARKET') model.wrong.push(`${order.id} still waits for its market`)
  if (expected.cancel === 'asked') model.wrong.push(`the cancel of ${order.id} was acknowledged and is lost`)
  const isAsRequested = order.price === expected.price || order.price === expected.maybePrice
  if (!isAsRequested) model.wrong.push(`${order.id} costs ${order.price}, acknowledged was ${expected.price}`)
  expected.price = order.price
  expected.maybePrice = undefined
  expected.isChanged = false
  // A cancel that the server died under may be in the journal, with the venue's answer still on its way.
}

function checkFinished(expected: ExpectedOrder, order: ApiOrder, model: Model): void {
  if (expected.final === undefined) {
    const isWhole = order.status !== 'FILLED' || order.filled_qty === order.quantity
    if (!isWhole) model.wrong.push(`${order.id} is FILLED with ${order.filled_qty} of ${order.quantity}`)
    const isExplained =
      expected.request.type === 'MARKET' || expected.cancel !== 'no' || order.status === 'REJECTED'
    if (!isExplained) model.wrong.push(`${order.id} ended as ${order.status} without being asked to`)
    expected.final = order
  } else if (JSON.stringify(order) !== JSON.stringify(expected.final)) {
    model.wrong.push(`${order.id} was finished and has changed`)
  }
}

/** A fill that was lost or counted twice shows as a position that the fills do not add up to. */
async function checkPositions(api: Api, model: Model): Promise<void> {
  const filled = model.orders.reduce((sum, { request, final }) => {
    const lots = Math.round((final?.filled_qty ?? 0) * LOTS_PER_UNIT)
    return sum + (request.side === 'BUY' ? lots : -lots)
  }, 0)
  const held = (await api.positions()).reduce((sum, { side, quantity }) => {
    const lots = Math.round(quantity * LOTS_PER_UNIT)
    return sum + (side === 'LONG' ? lots : -lots)
  }, 0)
  if (held !== filled) model.wrong.push(`positions hold ${held} lots, fills add up to ${filled}`)
}

async function checkLimits(api: Api, model: Model): Promise<void> {
  if (model.limits === undefined && model.maybeLimits === undefined) return
  const shown = await api.limits()
  const isOneOf = [model.limits, model.maybeLimits].some((limits) => isSame(limits, shown))
  if (model.limits !== undefined && !isOneOf) model.wrong.push('limits are not those last acknowledged')
  model.limits = shown
  model.maybeLimits = undefined
}

function isSame(one: ReportedLimits | undefined, other: ReportedLimits): boolean {
  return one !== undefined && JSON.stringify(one) === JSON.stringify(other)
}
