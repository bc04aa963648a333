import { type Fill, MANUAL_STRATEGY, type Order, type Position } from '@binnacle/contract'
import { useState } from 'react'
import { formatFee, formatQuantity, formatTickPrice } from '#format/money.ts'
import { formatOwner } from '#format/owner.ts'
import { Button } from '#ui/control/button.tsx'
import { Gain } from '#ui/figure/gain.tsx'
import { ToneText } from '#ui/figure/tone-text.tsx'
import { Tabs } from '#ui/frame/tabs.tsx'
import { Cell, Table } from '#ui/list/table.tsx'
import { ExitsButton } from '#ui/order/exits-button.tsx'
import { canModify } from '#ui/order/order-rules.ts'
import { copy } from './copy.ts'
import classes from './own-panel.module.css'

export interface OwnPanelProps {
  orders: readonly Order[]
  positions: readonly Position[]
  /** Today's. */
  fills: readonly Fill[]
  tick: number
  /** Orders whose cancel is pending. */
  busyIds: ReadonlySet<string>
  on: {
    modify: (order: Order) => void
    cancel: (order: Order) => void
    /** Undefined where the backend does not offer it. */
    exits: ((position: Position) => void) | undefined
  }
}

/** MKT-32: what we have in this instrument. */
export function OwnPanel({ orders, positions, fills, tick, busyIds, on }: OwnPanelProps) {
  const [tab, setTab] = useState<'orders' | 'position' | 'fills'>('orders')
  const { own } = copy
  const counted = (label: string, count: number) => (count > 0 ? `${label} ${count}` : label)
  return (
    <section className={classes.panel} aria-label={own.label}>
      <Tabs
        label={own.label}
        tabs={[
          { name: 'orders', label: counted(own.orders, orders.length) },
          { name: 'position', label: counted(own.position, positions.length) },
          { name: 'fills', label: counted(own.fills, fills.length) },
        ]}
        active={tab}
        onChange={setTab}
      >
        {tab === 'orders' && <WorkingOrders orders={orders} tick={tick} busyIds={busyIds} on={on} />}
        {tab === 'position' && <Positions positions={positions} tick={tick} onExits={on.exits} />}
        {tab === 'fills' && <Fills fills={fills} tick={tick} />}
      </Tabs>
    </section>
  )
}

const { columns } = copy.own
const END = { align: 'end' } as const

function WorkingOrders({
  orders,
  tick,
  busyIds,
  on,
}: Pick<OwnPanelProps, 'orders' | 'tick' | 'busyIds' | 'on'>) {
  if (orders.length === 0) return <p className={classes.none}>{copy.own.noOrders}</p>
  return (
    <div className={classes.orders}>
      <Table
        label={copy.own.orders}
        columns={[
          { title: columns.id },
          { title: columns.side },
          { title: columns.type },
          { title: columns.quantity, ...END },
          { title: columns.price, ...END },
          { title: columns.filled, ...END },
          { title: columns.strategy },
          { title: columns.actions, ...END },
        ]}
      >
        {orders.map((order) => (
          <tr key={order.id}>
            <Cell mono>{order.id}</Cell>
            <Cell>
              <ToneText tone={order.side === 'BUY' ? 'good' : 'bad'}>{order.side}</ToneText>
            </Cell>
            <Cell>{order.type}</Cell>
            <Cell {...END}>{formatQuantity(order.quantity)}</Cell>
            <Cell {...END}>
              {typeof order.price === 'number' ? formatTickPrice(order.price, tick) : copy.none}
            </Cell>
            <Cell {...END}>{formatQuantity(order.filled_qty)}</Cell>
            <Cell>{ownerOf(order)}</Cell>
            <Cell {...END}>
              {order.cancel_requested ? (
                copy.own.cancelling
              ) : (
                <span className={classes.actions}>
                  {canModify(order) && (
                    <Button disabled={busyIds.has(String(order.id))} onClick={() => on.modify(order)}>
                      {copy.own.modify}
                    </Button>
                  )}
                  <Button disabled={busyIds.has(String(order.id))} onClick={() => on.cancel(order)}>
                    {copy.own.cancel}
                  </Button>
                </span>
              )}
            </Cell>
          </tr>
        ))}
      </Table>
    </div>
  )
}

function ownerOf({ strategy, strategy_name: name }: Pick<Order | Position, 'strategy' | 'strategy_name'>) {
  return strategy && formatOwner(strategy === MANUAL_STRATEGY, name ?? strategy)
}

type PositionsProps = Pick<OwnPanelProps, 'positions' | 'tick'> & { onExits: OwnPanelProps['on']['exits'] }

function Positions({ positions, tick, onExits }: PositionsProps) {
  if (positions.length === 0) return <p className={classes.none}>{copy.own.noPosition}</p>
  return (
    <Table
      label={copy.own.position}
      columns={[
        { title: columns.side },
        { title: columns.quantity, ...END },
        { title: columns.entry, ...END },
        { title: columns.mark, ...END },
        { title: columns.pnl, ...END },
        ...(onExits ? [{ title: columns.exits, ...END }] : []),
        { title: columns.strategy },
      ]}
    >
      {positions.map((position) => (
        <tr key={position.id}>
          <Cell>
            <ToneText tone={position.side === 'LONG' ? 'good' : 'bad'}>{position.side}</ToneText>
          </Cell>
          <Cell {...END}>{formatQuantity(position.quantity)}</Cell>
          <Cell {...END}>{formatTickPrice(position.entry_price, tick)}</Cell>
          <Cell {...END}>{formatTickPrice(position.current_price, tick)}</Cell>
          <Cell {...END}>
            <Gain amount={position.unrealized_pnl} />
          </Cell>
          {onExits && (
            <Cell {...END}>
              <ExitsButton
                position={position}
                format={(price) => formatTickPrice(price, tick)}
                onOpen={() => onExits(position)}
              />
            </Cell>
          )}
          <Cell>{ownerOf(position)}</Cell>
        </tr>
      ))}
    </Table>
  )
}

function Fills({ fills, tick }: Pick<OwnPanelProps, 'fills' | 'tick'>) {
  if (fills.length === 0) return <p className={classes.none}>{copy.own.noFills}</p>
  return (
    <Table
      label={copy.own.fills}
      columns={[
        { title: columns.time },
        { title: columns.id },
        { title: columns.side },
        { title: columns.quantity, ...END },
        { title: columns.price, ...END },
        { title: columns.fee, ...END },
      ]}
    >
      {fills.map((fill) => (
        <tr key={fill.id}>
          <Cell>{fill.at.slice(11, 19)}</Cell>
          <Cell mono>{fill.order_id}</Cell>
          <Cell>
            <ToneText tone={fill.side === 'BUY' ? 'good' : 'bad'}>{fill.side}</ToneText>
          </Cell>
          <Cell {...END}>{formatQuantity(fill.quantity)}</Cell>
          <Cell {...END}>{formatTickPrice(fill.price, tick)}</Cell>
          <Cell {...END}>{formatFee(fill.fee)}</Cell>
        </tr>
      ))}
    </Table>
  )
}
