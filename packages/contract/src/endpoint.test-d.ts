import { expectTypeOf } from 'vitest'
import type { routes } from './admin/routes.ts'
import type { settings } from './admin/settings.ts'
import type { queries } from './database/queries.ts'
import type { Table, tables } from './database/tables.ts'
import type { ParsedRequest, ReplyInputOf, ReplyOf, RequestOf } from './endpoint.ts'
import type { Order, orders } from './trading/orders.ts'

// The compiler is the runner of this file: a line that stops being an error stops the build.

const order = { instrument: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: 0.001, price: 0 } as const

send<RequestOf<typeof orders.place>>({ body: order })
const { quantity: _, ...unsized } = order
// @ts-expect-error a body without its quantity
send<RequestOf<typeof orders.place>>({ body: unsized })
// @ts-expect-error a side that does not exist
send<RequestOf<typeof orders.place>>({ body: { ...order, side: 'HOLD' } })
// @ts-expect-error a field that does not exist
send<RequestOf<typeof orders.place>>({ body: { ...order, leverage: 3 } })
// @ts-expect-error no body at all
send<RequestOf<typeof orders.place>>({})
// @ts-expect-error a body where none is taken
send<RequestOf<typeof orders.list>>({ body: order })

// An id from a list goes into a path as it is, and arrives as text.
send<RequestOf<typeof orders.cancel>>({ params: { id: 7 } })
send<RequestOf<typeof orders.cancel>>({ params: { id: 'o-7' } })
// @ts-expect-error a path without its id
send<RequestOf<typeof orders.cancel>>({})
expectTypeOf<ParsedRequest<typeof orders.cancel>['params']>().toEqualTypeOf<{ id: string }>()
expectTypeOf<ParsedRequest<typeof orders.cancel>['body']>().toEqualTypeOf<undefined>()

// A toggle and an edit share a path but not a body.
send<RequestOf<typeof routes.update>>({ params: { id: 1 }, body: { is_active: 0 } })
// @ts-expect-error half an edit
send<RequestOf<typeof routes.update>>({ params: { id: 1 }, body: { method: 'GET', path: '/x' } })
send<RequestOf<typeof routes.test>>({ params: { id: 1 } })
send<RequestOf<typeof routes.test>>({ params: { id: 1 }, body: { send: true } })

send<RequestOf<typeof settings.update>>({ params: { setting_key: 'ttl' }, query: { value: '3600' } })
// @ts-expect-error values travel as text
send<RequestOf<typeof settings.update>>({ params: { setting_key: 'ttl' }, query: { value: 3600 } })
expectTypeOf<ParsedRequest<typeof tables.data>['query']>().toExtend<{ limit: number; offset: number }>()

expectTypeOf<ReplyOf<typeof orders.list>>().toEqualTypeOf<{
  orders: Order[]
  journal_seq?: number | undefined
  as_of?: string | undefined
  next_cursor?: string | undefined
}>()
expectTypeOf<ReplyOf<typeof tables.list>>().toEqualTypeOf<{ tables: Table[] }>()
// What our server sends is typed too: the envelope, never the bare array that is understood from others.
send<ReplyInputOf<typeof orders.list>>({ orders: [] })
// @ts-expect-error a bare array
send<ReplyInputOf<typeof orders.list>>([])
// @ts-expect-error another envelope
send<ReplyInputOf<typeof orders.list>>({ items: [] })

// The error of a query can be read only where the query failed.
export function errorOf(reply: ReplyOf<typeof queries.run>): string | undefined {
  // @ts-expect-error whether there are rows is known only once success is
  reply.rows
  return reply.success ? undefined : reply.error
}

function send<Request>(_request: Request): void {}
