import { type Instrument, ORDER_TYPES } from '@binnacle/contract'
import type { ReactNode, SubmitEvent } from 'react'
import { useBestPrices } from '#data/live-market.ts'
import { TIMES_IN_FORCE_OF, timeInForceOf } from '#data/times-in-force.ts'
import type { FormFailure } from '#form-failure.ts'
import { Button } from '#ui/control/button.tsx'
import { SelectField, TextField } from '#ui/control/field.tsx'
import { Segments } from '#ui/control/segments.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import { tickOf } from './quote-figures.ts'
import classes from './ticket.module.css'
import {
  minimumText,
  type QuantityShare,
  quantityOf,
  quickPrices,
  summaryOf,
  type TicketForm,
} from './ticket-form.ts'

export interface TicketProps {
  /** The id of the instrument, which may not be listed. */
  id: string
  form: TicketForm
  onChange: (form: TicketForm) => void
  instrument: Instrument | undefined
  /** Quantities to choose from; none on a backend without previews. */
  shares: readonly QuantityShare[]
  /** The state of the command that places the order. */
  sending: { busy: boolean; failure: FormFailure | undefined; unanswered: string | undefined }
  onSubmit: () => void
  /** Below the fields: what the order would do. */
  children?: ReactNode
}

/** MKT-37: the order form beside the chart; its instrument is the one shown. */
export function Ticket(props: TicketProps) {
  const { id, form, onChange, instrument, shares, sending, onSubmit, children } = props
  const { ticket } = copy
  const { busy, failure, unanswered } = sending
  const tick = tickOf(instrument)
  const hasPrice = form.type !== 'MARKET'
  const text = failure?.text ?? (hasPrice ? undefined : failure?.fields.price)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form className={classes.ticket} noValidate onSubmit={submit} aria-label={ticket.title}>
      <div className={classes.fields}>
        <Segments
          label={ticket.side}
          isWide
          value={form.side}
          options={[
            { value: 'BUY', label: 'BUY', tone: 'up' },
            { value: 'SELL', label: 'SELL', tone: 'down' },
          ]}
          onChange={(side) => onChange({ ...form, side })}
        />
        <Segments
          label={ticket.type}
          isWide
          value={form.type}
          options={ORDER_TYPES.map((value) => ({ value, label: value }))}
          onChange={(type) => onChange({ ...form, type })}
        />
        <TextField
          label={ticket.quantity}
          labelNote={instrument && minimumText(instrument)}
          error={failure?.fields.quantity}
          type="number"
          step={instrument?.lot_size ?? 0.001}
          value={quantityOf(form, instrument)}
          onChange={(quantity) => onChange({ ...form, quantity })}
        />
        {shares.length > 0 && (
          <div className={classes.shares}>
            {shares.map(({ label, quantity }) => (
              <Button
                key={label}
                disabled={quantity === undefined}
                onClick={() => quantity !== undefined && onChange({ ...form, quantity })}
              >
                {label}
              </Button>
            ))}
          </div>
        )}
        {hasPrice && (
          <div className={classes.price}>
            <TextField
              label={ticket.price}
              labelNote={instrument?.quote_currency}
              error={failure?.fields.price}
              type="number"
              step={tick}
              value={form.price}
              onChange={(price) => onChange({ ...form, price })}
            />
            <div className={classes.quick}>
              <QuickPrices
                instrument={id}
                tick={tick}
                onChoose={(price) => onChange({ ...form, price: String(price) })}
              />
            </div>
          </div>
        )}
        <div className={classes.options}>
          {form.type === 'LIMIT' && (
            <SelectField
              label={ticket.timeInForce}
              labelHidden
              value={timeInForceOf(form.type, form.timeInForce)}
              options={TIMES_IN_FORCE_OF[form.type].map((value) => ({ value, label: value }))}
              onChange={(timeInForce) => onChange({ ...form, timeInForce })}
            />
          )}
          <label>
            <input
              type="checkbox"
              checked={form.isReduceOnly}
              onChange={(event) => onChange({ ...form, isReduceOnly: event.target.checked })}
            />
            {ticket.reduceOnly}
          </label>
        </div>
        {unanswered !== undefined && failure === undefined && !busy && (
          <Notice tone="warn" title={unanswered} />
        )}
        {text !== undefined && <Notice tone="bad" title={text} isAlert />}
      </div>
      <div className={classes.more}>{children}</div>
      <div className={classes.act}>
        <Button kind="primary" type="submit" busy={busy}>
          {ticket.submit}
        </Button>
        <p>{summaryOf(form, instrument)}</p>
      </div>
    </form>
  )
}

interface QuickPricesProps {
  instrument: string
  tick: number
  onChoose: (price: number) => void
}

function QuickPrices({ instrument, tick, onChoose }: QuickPricesProps) {
  const quote = useBestPrices(instrument)
  return quickPrices(quote, tick).map(({ label, price }) => (
    <Button key={label} disabled={price === undefined} onClick={() => price !== undefined && onChoose(price)}>
      {label}
    </Button>
  ))
}
