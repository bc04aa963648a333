import { useState } from 'react'
import { useInstruments } from '#data/instruments.ts'
import { useOrderPreview } from '#data/order-preview.ts'
import { useOrderChanges } from '#state/order-changes.ts'
import { SelectField } from '#ui/control/field.tsx'
import { Card } from '#ui/frame/card.tsx'
import { useRootMark } from '#ui/look/root-mark.ts'
import { useIsPhone } from '#ui/look/use-is-phone.ts'
import { useOrderChangeDialogs } from '#ui/order/order-change-dialogs.tsx'
import type { ChartAddress } from './chart-address.ts'
import { secondsOf } from './chart-bars.ts'
import { ChartPanel } from './chart-panel.tsx'
import { copy } from './copy.ts'
import { DepthPanel } from './depth-panel.tsx'
import { IndicatorsDialog } from './indicators-dialog.tsx'
import classes from './market-view.module.css'
import { OwnPanel } from './own-panel.tsx'
import { PhoneView } from './phone-view.tsx'
import { tickOf } from './quote-figures.ts'
import { TapePanel } from './tape-panel.tsx'
import { Ticket } from './ticket.tsx'
import { orderOf, quantityOf, quantityShares } from './ticket-form.ts'
import { TicketPreview } from './ticket-preview.tsx'
import { useExits } from './use-exits.tsx'
import { useOwn } from './use-own.ts'
import { useTicket } from './use-ticket.ts'
import { WatchlistPanel } from './watchlist-panel.tsx'

/** MKT-54: what we have belongs to the market of today. */
const NO_OWN = { lines: [], marks: [] }

export interface MarketViewProps {
  address: ChartAddress & { instrument: string }
  onAddress: (change: Partial<ChartAddress>) => void
}

/** STREAM-281: without a quote, which changes several times a second: the panels that show one read it themselves. */
export function MarketView({ address, onAddress }: MarketViewProps) {
  const { instrument: id, interval, indicators } = address
  const isPhone = useIsPhone()
  useRootMark('orderForm', !isPhone)
  const instruments = useInstruments()
  const instrument = instruments.find((candidate) => candidate.id === id)
  const tick = tickOf(instrument)
  const own = useOwn(id, secondsOf(interval))
  const { busyIds, cancel, openForm, form: changeForm } = useOrderChanges()
  const orderChanges = useOrderChangeDialogs({ cancel, form: changeForm })
  const dropOrder = (line: string, price: number) => {
    const order = own.orders.find((candidate) => String(candidate.id) === line)
    if (order) openForm(order, price)
  }
  const exits = useExits(own.positions, tick)
  const ticket = useTicket(id, instrument)
  const preview = useOrderPreview(
    orderOf(ticket.form, id, instrument),
    instrument?.min_quantity ?? instrument?.lot_size,
    !isPhone || ticket.isOpen,
  )
  const [isChoosing, setIsChoosing] = useState(false)
  const draftPrice = Number.parseFloat(ticket.form.price)
  const draft =
    ticket.form.type === 'MARKET' || Number.isNaN(draftPrice)
      ? undefined
      : { price: draftPrice, quantity: quantityOf(ticket.form, instrument) }
  const form = (
    <Ticket
      id={id}
      form={ticket.form}
      onChange={ticket.setForm}
      instrument={instrument}
      shares={preview ? quantityShares(ticket.form, instrument, preview.preview) : []}
      sending={ticket.sending}
      onSubmit={ticket.submit}
    >
      {preview && <TicketPreview instrument={id} state={preview} tick={tick} />}
    </Ticket>
  )
  const chart = (
    <ChartPanel
      address={address}
      onAddress={onAddress}
      instrument={instrument}
      own={address.dataSet === undefined ? own.drawn : NO_OWN}
      on={{
        pick: ticket.pick,
        drop: (line, price) => exits.drop(line, price) || dropOrder(line, price),
        indicators: () => setIsChoosing(true),
      }}
    />
  )
  const depth = (
    <DepthPanel instrument={id} tick={tick} lot={instrument?.lot_size} draft={draft} onPick={ticket.pick} />
  )
  const tape = <TapePanel instrument={id} tick={tick} lot={instrument?.lot_size} />
  const owned = (
    <OwnPanel
      orders={own.orders}
      positions={own.positions}
      fills={own.fills}
      tick={tick}
      busyIds={busyIds}
      on={{ modify: openForm, cancel: orderChanges.onCancel, exits: exits.open }}
    />
  )
  return (
    <>
      {isPhone ? (
        <PhoneView
          panels={{ chart, depth, tape, owned }}
          instrument={id}
          tick={tick}
          ticket={{ isOpen: ticket.isOpen, open: ticket.open, close: ticket.close, form }}
        >
          <SelectField
            label={copy.chart.instrument}
            labelHidden
            value={id}
            options={instruments.map((listed) => ({ value: listed.id, label: listed.id }))}
            onChange={(chosen) => onAddress({ instrument: chosen })}
          />
        </PhoneView>
      ) : (
        <div className={classes.view} data-by-choice="chart">
          <div className={classes.watchlist}>
            <WatchlistPanel
              instruments={instruments}
              chosen={id}
              onChoose={(chosen) => onAddress({ instrument: chosen })}
            />
          </div>
          <div className={classes.main}>
            {chart}
            {owned}
          </div>
          <div className={classes.market}>
            {depth}
            {tape}
          </div>
          <div className={classes.ticket}>
            <Card title={copy.ticket.title} isFilled>
              {form}
            </Card>
          </div>
        </div>
      )}
      <IndicatorsDialog
        opened={isChoosing}
        chosen={indicators}
        onChange={(chosen) => onAddress({ indicators: chosen })}
        onClose={() => setIsChoosing(false)}
      />
      {orderChanges.dialogs}
      {exits.dialog}
    </>
  )
}
