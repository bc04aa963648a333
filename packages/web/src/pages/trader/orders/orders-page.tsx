import type { Instrument, Order } from '@binnacle/contract'
import { useCallback, useMemo, useState } from 'react'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { useEngines } from '#data/engines.ts'
import { logOnly, problemText } from '#data/failure.ts'
import type { FirstLoads } from '#data/first-loads.ts'
import { useInstruments, useTickSizes } from '#data/instruments.ts'
import { useExportOrders } from '#data/order-history.ts'
import { orderQueries } from '#data/orders.ts'
import { useStrategyNames } from '#data/strategies.ts'
import { paths } from '#paths.ts'
import { useOrderPlacing } from '#state/order-placing.ts'
import { toastFailure } from '#state/toasts.ts'
import { useFreshness } from '#state/topic-freshness.ts'
import { Button } from '#ui/control/button.tsx'
import { saveFile } from '#ui/control/save-file.ts'
import { TextLink } from '#ui/control/text-link.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { FreshnessBadge } from '#ui/state/freshness-badge.tsx'
import { lazyPart } from '#ui/state/lazy-part.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import { NewOrderDialog } from './new-order-dialog.tsx'
import { HistoryPager, LatestNote, OlderNotice } from './older-orders.tsx'
import { type OrderActions, useOrderActions } from './order-actions.tsx'
import { OrderDrawer } from './order-drawer.tsx'
import { OrderFilters } from './order-filters.tsx'
import { ORDER_FIELDS } from './order-form.ts'
import { type OrdersPageState, useOrderList, useOrdersPageState } from './order-list.ts'
import { addressOf, filterOf, isLatestList, type OrderListView } from './order-view.ts'
import { OrdersTable } from './orders-table.tsx'

const AllEnginesOrders = lazyPart(async () => (await import('./all-engines-orders.tsx')).AllEnginesOrders)

/** SHELL-111 */
export const firstLoads: FirstLoads = (load) => load(orderQueries.list({ onFailure: logOnly }))

export function OrdersPage() {
  const engines = useEngines()
  const [search] = useSearchParams()
  const isAll = search.get('engines') === 'all' && engines.length > 1
  return isAll ? <AllEnginesOrders engines={engines} /> : <EngineOrders hasOthers={engines.length > 1} />
}

/** The orders of the engine that the console shows. STREAM-283: without the rows, which change with every order. */
function EngineOrders({ hasOthers }: { hasOthers: boolean }) {
  const freshness = useFreshness('orders')
  const shown = useOrdersPageState()
  const { view, isLive, hasHistory, hasDetail } = shown
  const navigate = useNavigate()
  const instruments = useInstruments()
  const ticks = useTickSizes()
  const form = useOrderForm(view.before !== '')
  const actions = useOrderActions(shown)
  return (
    <Screen
      title={copy.title}
      aside={freshness && <FreshnessBadge {...freshness} />}
      back={{ to: paths.admin, label: copy.back }}
      actions={
        <>
          {hasOthers && <TextLink to={`${paths.orders}?engines=all`}>{copy.allEngines.link}</TextLink>}
          {hasHistory && <ExportButton view={view} />}
          {actions.cancelAll}
          <Button kind="primary" onClick={form.open}>
            {copy.create}
          </Button>
        </>
      }
    >
      {form.isRedirectDue && <Navigate to={paths.orders} />}
      <OrderRows shown={shown} ticks={ticks} instruments={instruments} actions={actions} />
      <NewOrderDialog
        opened={form.isOpen}
        busy={form.isBusy}
        failure={form.failure}
        unanswered={form.unanswered}
        isLive={isLive}
        instruments={instruments}
        onClose={form.close}
        onSubmit={form.submit}
      />
      {actions.dialogs}
      {hasDetail && view.order !== '' && (
        <OrderDrawer
          key={view.order}
          id={view.order}
          ticks={ticks}
          onClose={() => navigate(addressOf({ ...view, order: '' }), { replace: true })}
        />
      )}
    </Screen>
  )
}

interface OrderRowsProps {
  shown: OrdersPageState
  ticks: ReadonlyMap<string, number>
  instruments: readonly Instrument[]
  actions: OrderActions
}

/** The filters with their counts, and the rows. */
function OrderRows({ shown, ticks, instruments, actions }: OrderRowsProps) {
  const { view, hasHistory, hasDetail } = shown
  const list = useOrderList(shown)
  const { orders, nextCursor } = list
  const strategyNames = useStrategyNames()
  const navigate = useNavigate()
  const onChange = useCallback(
    (next: OrderListView) => navigate(addressOf(next), { replace: true }),
    [navigate],
  )
  const isLatest = isLatestList(view) || !hasHistory
  const isPartial = view.before !== '' || nextCursor !== undefined || !isLatest
  const detailAddress = useMemo(
    () => (hasDetail ? (order: Order) => addressOf({ ...view, order: String(order.id) }) : undefined),
    [view, hasDetail],
  )
  const problem = problemText(list.error)
  const content = (
    <>
      {view.before !== '' && isLatest && (
        <OlderNotice before={view.before} isEmpty={orders?.length === 0} nextCursor={nextCursor} />
      )}
      {problem !== undefined && <Notice tone="bad" title={problem} />}
      {list.isPending && <Loading text={copy.loading} lines={6} />}
      {orders?.length === 0 && !isPartial && view.tab === 'all' && (
        <EmptyState title={copy.empty}>{copy.emptyHint}</EmptyState>
      )}
      {orders?.length === 0 && (!isLatest || view.tab !== 'all') && <p>{copy.noMatch}</p>}
      {orders !== undefined && orders.length > 0 && (
        <OrdersTable
          key={addressOf({ ...view, order: '' })}
          orders={orders}
          strategyNames={strategyNames}
          ticks={ticks}
          isPartial={isPartial}
          actions={actions}
          detailAddress={detailAddress}
        />
      )}
      {orders && isLatest && view.before === '' && nextCursor && (
        <LatestNote orders={orders} nextCursor={nextCursor} />
      )}
      {!isLatest && <HistoryPager view={view} nextCursor={nextCursor} />}
    </>
  )
  return hasHistory ? (
    <OrderFilters
      view={view}
      counts={list.counts}
      instruments={instruments}
      strategyNames={strategyNames}
      onChange={onChange}
    >
      {content}
    </OrderFilters>
  ) : (
    content
  )
}

function ExportButton({ view }: { view: OrderListView }) {
  const exported = useExportOrders({
    onFailure: toastFailure(copy.csvFailed),
    onDone: ({ name, content }) => saveFile(name, content),
  })
  return (
    <Button busy={exported.isPending} onClick={() => exported.run(filterOf(view))}>
      {copy.csv}
    </Button>
  )
}

/** ORD-21: an accepted order is on the latest page, so an older page redirects there. */
function useOrderForm(isOlder: boolean) {
  const [isOpen, setIsOpen] = useState(false)
  const [isAccepted, setIsAccepted] = useState(false)
  const placing = useOrderPlacing({
    fields: ORDER_FIELDS,
    onAccepted: () => {
      setIsOpen(false)
      setIsAccepted(true)
    },
  })
  // Reset once the latest page is open, so that older pages can be opened again.
  if (isAccepted && !isOlder) setIsAccepted(false)
  return {
    isOpen,
    open: () => {
      placing.reset()
      setIsOpen(true)
    },
    close: () => setIsOpen(false),
    isBusy: placing.isBusy,
    failure: placing.failure,
    unanswered: placing.unanswered,
    submit: placing.run,
    isRedirectDue: isAccepted && isOlder,
  }
}
