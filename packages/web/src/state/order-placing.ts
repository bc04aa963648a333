import type { NewOrder, Order, orders, ReplyOf } from '@binnacle/contract'
import { useState } from 'react'
import type { CommandFailure } from '#data/command.ts'
import { usePlaceOrder } from '#data/orders.ts'
import type { FormFailure } from '#form-failure.ts'
import { formFailure, isEarlierRequest, toastFailureAfterUnmount } from './command-failures.ts'

const UNKNOWN = 'No answer. The order may have been placed; check the list before sending it again.'
const EARLIER_ARRIVED =
  'The earlier order was placed, so this one was not. Send it again to place it as well.'

export interface OrderPlacing {
  run: (order: NewOrder) => void
  isBusy: boolean
  /** Why the last order was refused, denied or rejected. */
  failure: FormFailure | undefined
  /** Says which earlier order got no answer; undefined for none. */
  unanswered: string | undefined
  /** Clears a denial or rejection; `reset` also clears a failed command. */
  clearRejection: () => void
  reset: () => void
}

interface OrderPlacingOptions {
  /** The fields of the form that can show why they were refused. */
  fields: readonly string[]
  onAccepted: (reply: ReplyOf<typeof orders.place>) => void
}

/** Sends the orders of a form, which stays open with the reason while an order is not accepted. */
export function useOrderPlacing({ fields, onAccepted }: OrderPlacingOptions): OrderPlacing {
  const [rejection, setRejection] = useState<FormFailure>()
  const clearRejection = () => setRejection(undefined)
  const place = usePlaceOrder({
    onStart: clearRejection,
    onFailure: toastFailureAfterUnmount(UNKNOWN),
    onDone: (reply) => {
      const rejected = 'status' in reply ? rejectionOf(reply) : undefined
      setRejection(rejected)
      if (rejected === undefined) onAccepted(reply)
    },
  })
  return {
    run: place.run,
    isBusy: place.isPending,
    failure: place.failure ? placeFailure(place.failure, fields) : rejection,
    // The stored requests of a command are its own.
    unanswered: place.isUnanswered ? unansweredText(place.unanswered as readonly NewOrder[]) : undefined,
    clearRejection,
    reset: () => {
      place.reset()
      clearRejection()
    },
  }
}

function unansweredText(orders: readonly NewOrder[]): string {
  const texts = orders.map(({ side, quantity, instrument }) => `${side} ${quantity} ${instrument}`)
  const named = [...new Set(texts)].join(' or ')
  return `An earlier order is unconfirmed: ${named}. Until it is, at most one order is placed: that one or the next.`
}

function placeFailure(failure: CommandFailure, fields: readonly string[]): FormFailure {
  if (isEarlierRequest(failure)) return { fields: {}, text: EARLIER_ARRIVED }
  return formFailure(failure, { unknown: UNKNOWN, fields })
}

/** ORD-16, ORD-52: the reason of a denied or rejected order, at the field that it concerns. */
function rejectionOf({ status, reason }: Order): FormFailure | undefined {
  if (status !== 'REJECTED' || reason === undefined) return undefined
  const { code, sentence } = reason
  const field = REJECTED_FIELDS.get(code ?? '')
  return field ? { fields: { [field]: sentence }, text: undefined } : { fields: {}, text: sentence }
}

const REJECTED_FIELDS = new Map<string, 'quantity' | 'price'>([
  ['price.collar', 'price'],
  ['stop.past-market', 'price'],
  ['limit.order-size', 'quantity'],
  ['limit.position-size', 'quantity'],
  ['margin.insufficient', 'quantity'],
  ['spot.short', 'quantity'],
  ['reduce-only.adds', 'quantity'],
])
