import type { Order } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { capabilityQueries } from '#data/capabilities.ts'
import type { CommandFailure } from '#data/command.ts'
import { logOnly, problemText } from '#data/failure.ts'
import { useInstruments, useTickSizes } from '#data/instruments.ts'
import { orderQueries, usePlaceOrder } from '#data/orders.ts'
import { useStrategyNames } from '#data/strategies.ts'
import { paths } from '#paths.ts'
import {
  type FormFailure,
  formFailure,
  isEarlierRequest,
  showFailuresOnceLeft,
} from '#state/command-failures.ts'
import { useFreshness } from '#state/topic-freshness.ts'
import { Button } from '#ui/control/button.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { FreshnessMark } from '#ui/state/freshness-mark.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import { NewOrderDialog } from './new-order-dialog.tsx'
import { LatestNote, OlderNotice } from './older-orders.tsx'
import { useOrderActions } from './order-actions.tsx'
import { ORDER_FIELDS } from './order-form.ts'
import { rejectedField, rejectionReason, workingFirst } from './order-status.ts'
import { OrdersTable } from './orders-table.tsx'

export function OrdersPage() {
  const freshness = useFreshness('orders')
  const before = useSearchParams()[0].get('before') || undefined
  const { data: list, isPending, error } = useQuery(orderQueries.list({ onFailure: logOnly, before }))
  const { data: backend } = useQuery(capabilityQueries.backend())
  const isLive = backend?.kind === 'live'
  const orders = useMemo(() => (isLive && list ? workingFirst(list.orders) : list?.orders), [isLive, list])
  const nextCursor = list?.next_cursor
  const isPage = before !== undefined || nextCursor !== undefined
  const instruments = useInstruments()
  const ticks = useTickSizes()
  const strategyNames = useStrategyNames()
  const form = useOrderForm(before !== undefined)
  const actions = useOrderActions(orders)
  const problem = problemText(error)
  return (
    <Screen
      title={copy.title}
      aside={freshness && <FreshnessMark {...freshness} />}
      back={{ to: paths.admin, label: copy.back }}
      actions={
        <>
          {actions.cancelAll}
          <Button kind="primary" onClick={form.open}>
            {copy.create}
          </Button>
        </>
      }
    >
      {form.isRedirectDue && <Navigate to={paths.orders} />}
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
          ticks={ticks}
          isPage={isPage}
          actions={actions}
        />
      )}
      {orders && !before && nextCursor && <LatestNote orders={orders} nextCursor={nextCursor} />}
      <NewOrderDialog
        opened={form.isOpen}
        busy={form.isBusy}
        failure={form.failure}
        isUnanswered={form.isUnanswered}
        isLive={isLive}
        instruments={instruments}
        onClose={form.close}
        onSubmit={form.submit}
      />
      {actions.dialogs}
    </Screen>
  )
}

/** ORD-21: an accepted order is on the latest page, so an older page redirects there. */
function useOrderForm(isOlder: boolean) {
  const [isOpen, setIsOpen] = useState(false)
  const [isAccepted, setIsAccepted] = useState(false)
  const [rejection, setRejection] = useState<FormFailure>()
  const place = usePlaceOrder({
    onStart: () => setRejection(undefined),
    onFailure: showFailuresOnceLeft(copy.dialog.unknown),
    onDone: (reply) => {
      const rejected = 'status' in reply ? rejectionOf(reply) : undefined
      setRejection(rejected)
      if (rejected !== undefined) return
      setIsOpen(false)
      setIsAccepted(true)
    },
  })
  // Reset once the latest page is open, so that older pages can be opened again.
  if (isAccepted && !isOlder) setIsAccepted(false)
  return {
    isOpen,
    open: () => {
      place.reset()
      setRejection(undefined)
      setIsOpen(true)
    },
    close: () => setIsOpen(false),
    isBusy: place.isPending,
    failure: place.failure ? placeFailure(place.failure) : rejection,
    isUnanswered: place.isUnanswered,
    submit: place.run,
    isRedirectDue: isAccepted && isOlder,
  }
}

function placeFailure(failure: CommandFailure): FormFailure {
  if (isEarlierRequest(failure)) return { fields: {}, text: copy.dialog.earlierArrived }
  return formFailure(failure, { unknown: copy.dialog.unknown, fields: ORDER_FIELDS })
}

/** ORD-16, ORD-52 */
function rejectionOf(order: Order): FormFailure | undefined {
  const reason = rejectionReason(order)
  if (reason === undefined) return undefined
  const field = rejectedField(order)
  return field ? { fields: { [field]: reason }, text: undefined } : { fields: {}, text: reason }
}
