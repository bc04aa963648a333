import type { NewOrder } from '@binnacle/contract'

/** The form as typed: numbers are text until the order is sent. */
export interface OrderForm {
  instrument: string
  side: NewOrder['side']
  type: NewOrder['type']
  quantity: string
  price: string
}

/** ORD-9 */
export const BLANK_ORDER: OrderForm = {
  instrument: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  quantity: '0.001',
  price: '0',
}

/** The fields that can show why they were refused. */
export const ORDER_FIELDS = ['instrument', 'quantity', 'price'] as const

/** ORD-10 */
export function hasPrice({ type }: Pick<OrderForm, 'type'>): boolean {
  return type !== 'MARKET'
}

/** ORD-11: sends the form unchecked, the hidden price included; the server validates. */
export function orderFrom({ quantity, price, ...rest }: OrderForm): NewOrder {
  return { ...rest, quantity: Number.parseFloat(quantity), price: Number.parseFloat(price) }
}
