import type { Instrument, NewOrder } from '@binnacle/contract'
import { TIMES_IN_FORCE_OF, type TimeInForce, timeInForceOf } from '#data/times-in-force.ts'

/** The form as typed: numbers are text until the order is sent. */
export interface OrderForm {
  instrument: string
  side: NewOrder['side']
  type: NewOrder['type']
  /** Undefined: the default of the instrument. */
  quantity: string | undefined
  price: string
  /** Shown with a live backend only. Undefined: the usual one of the type. */
  timeInForce: TimeInForce | undefined
  reduceOnly: boolean
}

/** ORD-9 */
export const BLANK_ORDER: OrderForm = {
  instrument: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  quantity: undefined,
  price: '0',
  timeInForce: undefined,
  reduceOnly: false,
}

/** NAUT-135: the default instrument, or the first that the engine lists where it lists only others. */
export function firstInstrument(instruments: readonly Instrument[]): string {
  const { instrument: usual } = BLANK_ORDER
  return instruments.some(({ id }) => id === usual) ? usual : (instruments[0]?.id ?? usual)
}

/** The fields that can show why they were refused. */
export const ORDER_FIELDS = ['instrument', 'quantity', 'price', 'time_in_force'] as const

/** ORD-10 */
export function hasPrice({ type }: Pick<OrderForm, 'type'>): boolean {
  return type !== 'MARKET'
}

/** ORD-9 */
const DEFAULT_QUANTITY = 0.001

/** ORD-74: the listed instrument that is meant; none in the baseline, which lists none. */
export function listedInstrument(
  { instrument }: Pick<OrderForm, 'instrument'>,
  instruments: readonly Instrument[],
): Instrument | undefined {
  const typed = instrument.trim().toUpperCase()
  return instruments.find(({ id }) => id.toUpperCase() === typed)
}

/** ORD-75: the quantity as typed, or the default, at least the instrument's minimum. */
export function quantityOf({ quantity }: OrderForm, instrument: Instrument | undefined): string {
  const minimum = instrument?.min_quantity ?? instrument?.lot_size ?? 0
  return quantity ?? String(Math.max(DEFAULT_QUANTITY, minimum))
}

/** ORD-11: sends the form unchecked, the hidden price included; the server validates. Defaults are not sent (ORD-55). */
export function orderFrom(form: OrderForm, instrument: Instrument | undefined): NewOrder {
  const { side, type, price, reduceOnly } = form
  const timeInForce = timeInForceOf(type, form.timeInForce)
  return {
    instrument: instrument?.id ?? form.instrument,
    side,
    type,
    quantity: Number.parseFloat(quantityOf(form, instrument)),
    price: Number.parseFloat(price),
    ...(timeInForce !== TIMES_IN_FORCE_OF[type][0] && { time_in_force: timeInForce }),
    ...(reduceOnly && { reduce_only: true }),
  }
}
