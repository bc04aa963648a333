import type { Order } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { logOnly, problemText } from '#data/failure.ts'
import { useInstruments } from '#data/instruments.ts'
import { orderQueries, useCancelOrder, useOrdersBeingCancelled, usePlaceOrder } from '#data/orders.ts'
import { useStrategyNames } from '#data/strategies.ts'
import { paths } from '#paths.ts'
import { showProblem, showRefusal } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import { ListExtent } from './list-extent.tsx'
import { NewOrderDialog } from './new-order-dialog.tsx'
import { OlderNotice } from './older-notice.tsx'
import { describeOrder, shownReason } from './order-status.ts'
import { OrdersTable } from './orders-table.tsx'

export function OrdersPage() {
  const before = useSearchParams()[0].get('before') || undefined
  const { data: list, isPending, error } = useQuery(orderQueries.list({ onFailure: logOnly, before }))
  const orders = list?.orders
  const nextCursor = list?.next_cursor
  const isPage = before !== undefined || nextCursor !== undefined
  const instruments = useInstruments()
  const strategyNames = useStrategyNames()
  const form = useOrderForm(before !== undefined)
  const { run: cancel } = useCancelOrder({ onFailure: showProblem })
  const { ask, dialog } = useConfirm()
  const askToCancel = useCallback(
    (order: Order) => ask(copy.cancelQuestion, () => cancel(order.id), describeOrder(order), copy.keep),
    [ask, cancel],
  )
  const busyIds = useOrdersBeingCancelled()
  const problem = problemText(error)
  return (
    <Screen
      title={copy.title}
      back={{ to: paths.admin, label: copy.back }}
      actions={
        <Button kind="primary" onClick={form.open}>
          {copy.create}
        </Button>
      }
    >
      {form.isLatestDue && <Navigate to={paths.orders} />}
      {before !== undefined && (
        <OlderNotice before={before} isEmpty={orders?.length === 0} nextCursor={nextCursor} />
      )}
      {problem !== undefined && <Notice tone="bad" title={problem} />}
      {isPending && <Loading text={copy.loading} lines={6} />}
      {orders?.length === 0 && !isPage && <EmptyState title={copy.empty}>{copy.emptyHint}</EmptyState>}
      {orders !== undefined && orders.length > 0 && (
        <OrdersTable
          key={before}
          orders={orders}
          strategyNames={strategyNames}
          isPage={isPage}
          busyIds={busyIds}
          onCancel={askToCancel}
        />
      )}
      {orders && !before && nextCursor && <ListExtent orders={orders} nextCursor={nextCursor} />}
      <NewOrderDialog
        opened={form.isOpen}
        busy={form.isBusy}
        instruments={instruments}
        onClose={form.close}
        onSubmit={form.submit}
      />
      {dialog}
    </Screen>
  )
}

/** ORD-21: an order that is taken is on the latest page, so that is where an older one leads. */
function useOrderForm(isOlder: boolean) {
  const [isOpen, setIsOpen] = useState(false)
  const [isTaken, setIsTaken] = useState(false)
  const place = usePlaceOrder({
    onFailure: showProblem,
    onDone: (reply) => {
      const refusal = 'status' in reply ? shownReason(reply) : undefined
      if (refusal !== undefined) return showRefusal(refusal)
      setIsOpen(false)
      setIsTaken(true)
    },
  })
  // Once the latest page is there, the way to older ones is free again.
  if (isTaken && !isOlder) setIsTaken(false)
  return {
    isOpen,
    open: () => {
      place.beginAnew()
      setIsOpen(true)
    },
    close: () => setIsOpen(false),
    isBusy: place.isPending,
    submit: place.run,
    isLatestDue: isTaken && isOlder,
  }
}
