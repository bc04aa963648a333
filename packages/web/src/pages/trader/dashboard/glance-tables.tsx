import type { Order, Position } from '@binnacle/contract'
import type { ReactNode } from 'react'
import {
  directionOf,
  formatGain,
  formatMoney,
  formatPrice,
  formatQuantity,
  roundToZero,
} from '#format/money.ts'
import { percentOf } from '#format/percent.ts'
import { paths } from '#paths.ts'
import { TextLink } from '#ui/control/text-link.tsx'
import { Card } from '#ui/frame/card.tsx'
import { copy } from './copy.ts'
import classes from './glance-tables.module.css'

/** Rows at a glance; all are on their own screen. */
const MAX_ROWS = 5

export interface PositionsGlanceProps {
  /** Undefined until loaded. */
  positions: readonly Position[] | undefined
  mark?: ReactNode
}

/** TRD-14: the largest positions and the sum of all. */
export function PositionsGlance({ positions, mark }: PositionsGlanceProps) {
  const { positions: words } = copy
  const ranked = positions?.toSorted((one, other) => exposureOf(other) - exposureOf(one)) ?? []
  const largest = Math.max(...ranked.map(({ unrealized_pnl }) => Math.abs(unrealized_pnl)), 0)
  const sum = (figure: (position: Position) => number) =>
    ranked.reduce((total, each) => total + figure(each), 0)
  const shorts = ranked.filter(({ side }) => side === 'SHORT').length
  return (
    <Card
      title={words.title}
      aside={<Scope count={positions && words.open(positions.length)} mark={mark} />}
      actions={<TextLink to={paths.positions}>{words.all}</TextLink>}
    >
      <div className={classes.frame}>
        {ranked.length === 0 ? (
          <p className={classes.none}>{positions === undefined ? '' : words.none}</p>
        ) : (
          <table className={classes.table} aria-label={words.title}>
            <thead>
              <tr>
                <th scope="col">{words.instrument}</th>
                <th scope="col">{words.side}</th>
                <th scope="col" data-align="end">
                  {words.exposure}
                </th>
                <th scope="col" data-align="end">
                  {words.unrealized}
                </th>
              </tr>
            </thead>
            <tbody>
              {ranked.slice(0, MAX_ROWS).map((position) => (
                <tr key={position.id}>
                  <td>{position.instrument}</td>
                  <td data-direction={position.side === 'LONG' ? 'up' : 'down'} className={classes.side}>
                    {position.side}
                  </td>
                  <td data-align="end" className={classes.second}>
                    {formatMoney(exposureOf(position))}
                  </td>
                  <td
                    data-align="end"
                    className={classes.deciding}
                    data-direction={directionOf(position.unrealized_pnl)}
                  >
                    <GainBar amount={position.unrealized_pnl} largest={largest} />
                    {formatGain(roundToZero(position.unrealized_pnl))}
                  </td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <td colSpan={2}>{words.sides(ranked.length - shorts, shorts)}</td>
                <td data-align="end" className={classes.second}>
                  {formatMoney(sum(exposureOf))}
                </td>
                <td
                  data-align="end"
                  className={classes.deciding}
                  data-direction={directionOf(sum(({ unrealized_pnl }) => unrealized_pnl))}
                >
                  {formatGain(roundToZero(sum(({ unrealized_pnl }) => unrealized_pnl)))}
                </td>
              </tr>
            </tfoot>
          </table>
        )}
      </div>
    </Card>
  )
}

export interface OrdersGlanceProps {
  /** Undefined until loaded. */
  orders: readonly Order[] | undefined
  mark?: ReactNode
}

/** TRD-15: the latest working orders. */
export function OrdersGlance({ orders, mark }: OrdersGlanceProps) {
  const { orders: words } = copy
  const working = orders?.filter(({ status }) => status === 'PENDING') ?? []
  return (
    <Card
      title={words.title}
      aside={<Scope count={orders && String(working.length)} mark={mark} />}
      actions={<TextLink to={paths.orders}>{words.all}</TextLink>}
    >
      <div className={classes.frame}>
        {working.length === 0 ? (
          <p className={classes.none}>{orders === undefined ? '' : words.none}</p>
        ) : (
          <table className={classes.table} aria-label={words.title}>
            <thead>
              <tr>
                <th scope="col">{words.instrument}</th>
                <th scope="col">{words.side}</th>
                <th scope="col">{words.type}</th>
                <th scope="col" data-align="end">
                  {words.quantity}
                </th>
                <th scope="col" data-align="end">
                  {words.price}
                </th>
                <th scope="col" data-align="end">
                  {words.filled}
                </th>
              </tr>
            </thead>
            <tbody>
              {working.slice(0, MAX_ROWS + 1).map((order) => (
                <tr key={order.id}>
                  <td>{order.instrument}</td>
                  <td data-direction={order.side === 'BUY' ? 'up' : 'down'} className={classes.side}>
                    {order.side}
                  </td>
                  <td className={classes.dim}>{order.type}</td>
                  <td data-align="end" className={classes.third}>
                    {formatQuantity(order.quantity)}
                  </td>
                  <td data-align="end" className={classes.deciding}>
                    {typeof order.price === 'number' ? formatPrice(order.price) : copy.unknown}
                  </td>
                  <td data-align="end" className={classes.second}>
                    {filledText(order)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Card>
  )
}

function Scope({ count, mark }: { count: ReactNode; mark: ReactNode }) {
  return (
    <span className={classes.scope}>
      {count} {mark}
    </span>
  )
}

/** From the middle: gains to the right, losses to the left. */
function GainBar({ amount, largest }: { amount: number; largest: number }) {
  const share = percentOf(Math.abs(amount), largest) / 2
  return (
    <span className={classes.bar} aria-hidden>
      <i style={{ width: `${share}%`, [amount < 0 ? 'right' : 'left']: '50%' }} />
    </span>
  )
}

function exposureOf({ quantity, current_price }: Position): number {
  return Math.abs(quantity) * current_price
}

function filledText({ filled_qty, quantity }: Order): string {
  return `${Math.floor(percentOf(filled_qty, quantity))}%`
}
