import type { Instrument, NewOrder } from '@binnacle/contract'

/** The form as typed: numbers are text until the order is sent. */
export interface OrderForm {
  instrument: string
  side: NewOrder['side']
  type: NewOrder['type']
  quantity: string
  price: string
  /** Shown with a live backend only. */
  timeInForce: TimeInForce
  reduceOnly: boolean
}

export type TimeInForce = NonNullable<NewOrder['time_in_force']>

/** ORD-9 */
export const BLANK_ORDER: OrderForm = {
  instrument: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  quantity: '0.001',
  price: '0',
  timeInForce: 'GTC',
  reduceOnly: false,
}

/** NAUT-135: the default instrument, or the first that the engine lists where it lists only others. */
export function firstInstrument(instruments: readonly Instrument[]): string {
  const { instrument: usual } = BLANK_ORDER
  return instruments.some(({ id }) => id === usual) ? usual : (instruments[0]?.id ?? usual)
}

/** ORD-55: the times in force of each type, the usual one first. */
export const TIMES_IN_FORCE_OF: Readonly<Record<NewOrder['type'], readonly [TimeInForce, ...TimeInForce[]]>> =
  {
    MARKET: ['IOC', 'FOK'],
    LIMIT: ['GTC', 'IOC', 'FOK'],
    STOP: ['GTC'],
  }

/** A type that cannot keep the chosen time in force gets its usual one. */
export function withType(form: OrderForm, type: NewOrder['type']): OrderForm {
  const allowed = TIMES_IN_FORCE_OF[type]
  const keeps = allowed.includes(form.timeInForce)
  return { ...form, type, timeInForce: keeps ? form.timeInForce : allowed[0] }
}

/** The fields that can show why they were refused. */
export const ORDER_FIELDS = ['instrument', 'quantity', 'price', 'time_in_force'] as const

/** ORD-10 */
export function hasPrice({ type }: Pick<OrderForm, 'type'>): boolean {
  return type !== 'MARKET'
}

/** ORD-11: sends the form unchecked, the hidden price included; the server validates. Defaults are not sent (ORD-55). */
export function orderFrom({ quantity, price, timeInForce, reduceOnly, ...rest }: OrderForm): NewOrder {
  return {
    ...rest,
    quantity: Number.parseFloat(quantity),
    price: Number.parseFloat(price),
    ...(timeInForce !== TIMES_IN_FORCE_OF[rest.type][0] && { time_in_force: timeInForce }),
    ...(reduceOnly && { reduce_only: true }),
  }
}
