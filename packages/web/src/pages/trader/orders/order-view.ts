import type { HistoryFilter } from '@binnacle/contract'
import { MS_PER_DAY } from '#format/duration.ts'
import { paths } from '#paths.ts'

export const ORDER_TABS = ['all', 'working', 'filled', 'cancelled', 'rejected'] as const
export type OrderTab = (typeof ORDER_TABS)[number]

/** ORD-64: what the orders screen shows, as its address says. */
export interface OrderListView {
  tab: OrderTab
  instrument: string
  strategy: string
  /** Dates in UTC, both included. */
  from: string
  to: string
  before: string
  /** The order whose drawer is open. */
  order: string
}

const FILTERS = ['instrument', 'strategy', 'from', 'to'] as const

export function viewOf(search: URLSearchParams): OrderListView {
  const tab = ORDER_TABS.find((name) => name === search.get('tab')) ?? 'all'
  const text = (name: string) => search.get(name) ?? ''
  return {
    tab,
    instrument: text('instrument'),
    strategy: text('strategy'),
    from: dateOf(text('from')),
    to: dateOf(text('to')),
    before: text('before'),
    order: text('order'),
  }
}

/** Only what differs from the plain screen is in the address. */
export function addressOf(view: OrderListView): string {
  const search = new URLSearchParams()
  for (const name of FILTERS) if (view[name] !== '') search.set(name, view[name])
  if (view.tab !== 'all') search.set('tab', view.tab)
  if (view.before !== '') search.set('before', view.before)
  if (view.order !== '') search.set('order', view.order)
  return search.size === 0 ? paths.orders : `${paths.orders}?${search}`
}

export function hasFilter(view: OrderListView): boolean {
  return FILTERS.some((name) => view[name] !== '')
}

/** Whether the streamed default list covers this view. */
export function isLatestList(view: OrderListView): boolean {
  return !hasFilter(view) && (view.tab === 'all' || view.tab === 'working')
}

/** The status of the orders of a tab. */
export const TAB_STATUS = {
  all: undefined,
  working: 'PENDING',
  filled: 'FILLED',
  cancelled: 'CANCELLED',
  rejected: 'REJECTED',
} as const

/** The filter of the order history; `to` of a request is exclusive. */
export function filterOf({ tab, instrument, strategy, from, to }: OrderListView): HistoryFilter {
  const status = TAB_STATUS[tab]
  return {
    ...(status !== undefined && { status }),
    ...(instrument !== '' && { instrument }),
    ...(strategy !== '' && { strategy }),
    ...(from !== '' && { from }),
    ...(to !== '' && { to: dayAfter(to) }),
  }
}

function dateOf(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''
}

function dayAfter(date: string): string {
  return new Date(Date.parse(date) + MS_PER_DAY).toISOString().slice(0, 10)
}
