import type { NewOrder } from '@binnacle/contract'
import { type ReactNode, useState } from 'react'
import { useBestPrices } from '#data/live-market.ts'
import { formatTickPrice } from '#format/money.ts'
import { Drawer } from '#ui/frame/drawer.tsx'
import { Tabs } from '#ui/frame/tabs.tsx'
import { copy } from './copy.ts'
import classes from './phone-view.module.css'

export interface PhoneViewProps {
  panels: Readonly<Record<'chart' | 'depth' | 'tape' | 'owned', ReactNode>>
  instrument: string
  tick: number
  ticket: { isOpen: boolean; open: (side: NewOrder['side']) => void; close: () => void; form: ReactNode }
  /** The choice of the instrument. */
  children: ReactNode
}

/** One column; SELL and BUY stay above the thumb bar and open the order form. */
export function PhoneView({ panels, instrument, tick, ticket, children }: PhoneViewProps) {
  const [tab, setTab] = useState<'depth' | 'tape' | 'owned'>('depth')
  return (
    <div className={classes.view}>
      {children}
      {panels.chart}
      <Tabs
        label={copy.title}
        tabs={[
          { name: 'depth', label: copy.depth.title },
          { name: 'tape', label: copy.tape.title },
          { name: 'owned', label: copy.own.short },
        ]}
        active={tab}
        onChange={setTab}
      >
        {panels[tab]}
      </Tabs>
      <div className={classes.acts}>
        <SideButtons instrument={instrument} tick={tick} onOpen={ticket.open} />
      </div>
      {ticket.isOpen && (
        <Drawer title={copy.ticket.title} onClose={ticket.close}>
          {ticket.form}
        </Drawer>
      )}
    </div>
  )
}

interface SideButtonsProps extends Pick<PhoneViewProps, 'instrument' | 'tick'> {
  onOpen: (side: NewOrder['side']) => void
}

function SideButtons({ instrument, tick, onOpen }: SideButtonsProps) {
  const quote = useBestPrices(instrument)
  return (
    <>
      <SideButton side="SELL" price={quote && formatTickPrice(quote.bid, tick)} onOpen={onOpen} />
      <SideButton side="BUY" price={quote && formatTickPrice(quote.ask, tick)} onOpen={onOpen} />
    </>
  )
}

interface SideButtonProps {
  side: NewOrder['side']
  price: string | undefined
  onOpen: (side: NewOrder['side']) => void
}

function SideButton({ side, price, onOpen }: SideButtonProps) {
  return (
    <button type="button" data-side={side} onClick={() => onOpen(side)}>
      {side}
      <small>{price ?? copy.none}</small>
    </button>
  )
}
