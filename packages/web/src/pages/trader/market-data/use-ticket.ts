import type { Instrument } from '@binnacle/contract'
import { useState } from 'react'
import { usePlaceOrder } from '#data/orders.ts'
import type { FormFailure } from '#form-failure.ts'
import { formFailure, isEarlierRequest, toastFailureAfterUnmount } from '#state/command-failures.ts'
import { toast } from '#state/toasts.ts'
import { useRefusal } from '#ui/control/use-refusal.ts'
import { copy } from './copy.ts'
import {
  BLANK_TICKET,
  orderOf,
  rejectionOf,
  TICKET_FIELDS,
  type TicketForm,
  withPrice,
} from './ticket-form.ts'

/** MKT-37: the order that is being written, and what became of the last one. */
export function useTicket(id: string, instrument: Instrument | undefined) {
  const [form, setForm] = useState<TicketForm>(BLANK_TICKET)
  const [rejection, setRejection] = useState<FormFailure>()
  const [isOpen, setIsOpen] = useState(false)
  const [lastId, setLastId] = useState(id)
  if (id !== lastId) {
    setLastId(id)
    setRejection(undefined)
    // MKT-302: those of another instrument would be sent for this one.
    setForm((known) => ({ ...known, price: '', quantity: undefined }))
  }
  const place = usePlaceOrder({
    onStart: () => setRejection(undefined),
    onFailure: toastFailureAfterUnmount(copy.ticket.unknown),
    onDone: (reply) => {
      const rejected = 'status' in reply ? rejectionOf(reply) : undefined
      setRejection(rejected)
      if (rejected !== undefined) return
      setIsOpen(false)
      if ('id' in reply) toast('success', copy.ticket.placed(reply.id))
    },
  })
  const failure = place.failure && {
    ...formFailure(place.failure, { unknown: copy.ticket.unknown, fields: TICKET_FIELDS }),
    ...(isEarlierRequest(place.failure) && { fields: {}, text: copy.ticket.earlierArrived }),
  }
  const order = orderOf(form, id, instrument)
  const { shown, markSent } = useRefusal(failure ?? rejection, order, ['instrument', 'side', 'type'])
  return {
    form,
    setForm,
    pick: (price: number) => setForm((known) => withPrice(known, price)),
    sending: { busy: place.isPending, failure: shown, isUnanswered: place.isUnanswered },
    submit: () => {
      markSent()
      place.run(order)
    },
    /** On a phone the form is a sheet that SELL and BUY open. */
    isOpen,
    open: (side: TicketForm['side']) => {
      place.reset()
      setRejection(undefined)
      setForm((known) => ({ ...known, side }))
      setIsOpen(true)
    },
    close: () => setIsOpen(false),
  }
}
