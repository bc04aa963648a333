import type { Instrument } from '@binnacle/contract'
import { useState } from 'react'
import { useOrderPlacing } from '#state/order-placing.ts'
import { toast } from '#state/toasts.ts'
import { useRefusal } from '#ui/control/use-refusal.ts'
import { copy } from './copy.ts'
import { BLANK_TICKET, orderOf, TICKET_FIELDS, type TicketForm, withPrice } from './ticket-form.ts'

/** MKT-37: the order that is being written, and what became of the last one. */
export function useTicket(id: string, instrument: Instrument | undefined) {
  const [form, setForm] = useState<TicketForm>(BLANK_TICKET)
  const [isOpen, setIsOpen] = useState(false)
  const placing = useOrderPlacing({
    fields: TICKET_FIELDS,
    onAccepted: (reply) => {
      setIsOpen(false)
      if ('id' in reply) toast('success', copy.ticket.placed(reply.id))
    },
  })
  const [lastId, setLastId] = useState(id)
  if (id !== lastId) {
    setLastId(id)
    placing.clearRejection()
    // MKT-302: those of another instrument would be sent for this one.
    setForm((known) => ({ ...known, price: '', quantity: undefined }))
  }
  const order = orderOf(form, id, instrument)
  const { shown, markSent } = useRefusal(placing.failure, order, ['instrument', 'side', 'type'])
  return {
    form,
    setForm,
    pick: (price: number) => setForm((known) => withPrice(known, price)),
    sending: { busy: placing.isBusy, failure: shown, unanswered: placing.unanswered },
    submit: () => {
      markSent()
      placing.run(order)
    },
    /** On a phone the form is a sheet that SELL and BUY open. */
    isOpen,
    open: (side: TicketForm['side']) => {
      placing.reset()
      setForm((known) => ({ ...known, side }))
      setIsOpen(true)
    },
    close: () => setIsOpen(false),
  }
}
