import type { Order } from './order.ts'

/** How many changes of an order its venue has not answered; what is not noted was asked for before a restart. */
export type UnansweredChanges = WeakMap<Order, number>

/** Counts a change that is about to be asked for. */
export function noteAsked(unanswered: UnansweredChanges, order: Order): void {
  unanswered.set(order, unansweredOf(unanswered, order) + 1)
}

/** Counts an answer, which is always to the oldest change; returns whether it was to the last one. */
export function noteAnswered(unanswered: UnansweredChanges, order: Order): boolean {
  const left = Math.max(0, unansweredOf(unanswered, order) - 1)
  unanswered.set(order, left)
  return left === 0
}

/** After a restart a venue is told the last change, and answers that one only. */
function unansweredOf(unanswered: UnansweredChanges, order: Order): number {
  return unanswered.get(order) ?? (order.change === null ? 0 : 1)
}
