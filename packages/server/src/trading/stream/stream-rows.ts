import type { Id, Quote, SnapshotInput, StreamTopic } from '@binnacle/contract'
import type { Desk, QuoteView } from '@binnacle/engine'
import { isoTime } from '#http/iso-time.ts'
import { componentToWire, infoToWire } from '#trading/engine.wire.ts'
import { fillToWire } from '#trading/fills.wire.ts'
import { listOrders, nextCursor } from '#trading/order-list.ts'
import { orderToWire } from '#trading/orders.wire.ts'
import { positionsToWire } from '#trading/positions.wire.ts'
import { accountToWire, limitsToWire, metricsToWire, tradingStateToWire } from '#trading/risk.wire.ts'
import { strategyToWire } from '#trading/strategies.wire.ts'
import type { MarketSource } from './market-source.ts'
import type { MarketTopic } from './market-topics.ts'

/** The topics that every desk has. */
export type DeskTopic = Exclude<StreamTopic, MarketTopic | 'alerts' | 'logs'>
/** Alerts are offered by a server that has them. */
export type OfferedTopic = DeskTopic | 'alerts'

/** Fills of a snapshot; older ones are in GET /api/fills. */
const FILLS_SHOWN = 100

type Snapshots = { readonly [Topic in DeskTopic]: (desk: Desk, traderId: string) => SnapshotInput<Topic> }

/** The state of each topic, in the words of the call that lists it. */
export const snapshotOf: Snapshots = {
  engine: infoToWire,
  components: ({ views }) => ({ components: views.engine().components.map(componentToWire) }),
  strategies: ({ views }) => ({ strategies: views.strategies().map(strategyToWire) }),
  orders: (desk) => ({
    orders: desk.views.orders().map((order) => orderToWire(order, desk.views)),
    next_cursor: nextOrders(desk),
  }),
  fills: ({ views, orderHistory }) => ({
    fills: orderHistory.fills({ limit: FILLS_SHOWN }).rows.map((fill) => fillToWire(fill, views)),
  }),
  positions: ({ views }) => ({ positions: positionsToWire(views) }),
  account: ({ views }) => accountToWire(views.risk(), views.account()),
  risk: ({ views }) => ({
    metrics: metricsToWire(views.risk(), views.account()),
    limits: limitsToWire(views.risk()),
  }),
  'trading-state': ({ views }) => tradingStateToWire(views.risk(), views.haltReason),
  quotes: ({ views }) => ({ quotes: views.quotes().map((quote) => quoteToWire(quote)) }),
}

// The table has an entry for each topic of a desk and no other.
export const DESK_TOPICS = Object.keys(snapshotOf) as DeskTopic[]

export function isDeskTopic(topic: StreamTopic): topic is DeskTopic {
  return topic in snapshotOf
}

/** Where the default list of orders continues. */
export function nextOrders(desk: Desk): string | undefined {
  const listed = listOrders(desk, {})
  return Array.isArray(listed) ? nextCursor(desk, {}, listed) : undefined
}

/** The data of a frame of quotes, with the latest trade of each where there is a market. */
export function quotesText(
  quotes: readonly QuoteView[],
  market: Pick<MarketSource, 'lastOf'> | undefined,
): string {
  return JSON.stringify({
    quotes: quotes.map((quote) => quoteToWire(quote, market?.lastOf(quote.instrument))),
  })
}

function quoteToWire({ instrument, bid, ask, at }: QuoteView, last?: number): Quote {
  return { instrument, bid, ask, at: isoTime(at), ...(last !== undefined && { last }) }
}

/** The rows of a list as they were sent last, to send only those that changed. */
export class SentRows<Row extends { id: Id }> {
  #texts = new Map<Id, string>()

  /** Replaces the rows and returns what changed; undefined if nothing did. */
  replace(rows: readonly Row[]): { changed: Row[]; removed: Id[] } | undefined {
    const texts = new Map(rows.map((row) => [row.id, JSON.stringify(row)]))
    const changed = rows.filter(({ id }) => texts.get(id) !== this.#texts.get(id))
    const removed = [...this.#texts.keys()].filter((id) => !texts.has(id))
    this.#texts = texts
    return changed.length + removed.length === 0 ? undefined : { changed, removed }
  }
}

/** A single value as it was sent last. */
export class SentValue<Value> {
  #text = ''

  /** Replaces the value and returns whether it changed. */
  replace(value: Value): boolean {
    const text = JSON.stringify(value)
    const isNew = text !== this.#text
    this.#text = text
    return isNew
  }
}
