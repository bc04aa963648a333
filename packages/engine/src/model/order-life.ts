import { Bug } from '#values/bug.ts'

export const ORDER_STATES = [
  'NEW',
  'SUBMITTED',
  'WORKING',
  'PARTLY_FILLED',
  'FILLED',
  'CANCELLED',
  'REJECTED',
  'DENIED',
] as const
export type OrderState = (typeof ORDER_STATES)[number]

export type LifeEvent =
  | 'denied'
  | 'submitted'
  | 'accepted'
  | 'triggered'
  | 'partlyFilled'
  | 'filled'
  | 'changeRequested'
  | 'changed'
  | 'changeRejected'
  | 'cancelRequested'
  | 'cancelled'
  | 'rejected'

type Moves = Readonly<Partial<Record<LifeEvent, OrderState>>>

const FINAL: Moves = {}

function workingMoves(stay: OrderState): Moves {
  return {
    partlyFilled: 'PARTLY_FILLED',
    filled: 'FILLED',
    changeRequested: stay,
    changed: stay,
    changeRejected: stay,
    cancelRequested: stay,
    cancelled: 'CANCELLED',
  }
}

/** The life of an order: state × event → state. An absent transition is impossible. */
export const ORDER_LIFE: Readonly<Record<OrderState, Moves>> = {
  NEW: { denied: 'DENIED', submitted: 'SUBMITTED' },
  SUBMITTED: {
    ...workingMoves('SUBMITTED'),
    accepted: 'WORKING',
    triggered: 'WORKING',
    rejected: 'REJECTED',
  },
  WORKING: { ...workingMoves('WORKING'), triggered: 'WORKING' },
  PARTLY_FILLED: workingMoves('PARTLY_FILLED'),
  FILLED: FINAL,
  CANCELLED: FINAL,
  REJECTED: FINAL,
  DENIED: FINAL,
}

/** The table as maps, which are faster to look up. */
const MOVES = new Map(
  Object.entries(ORDER_LIFE).map(([state, moves]) => [state, new Map(Object.entries(moves))]),
)

/** Returns whether the event is possible in this state. */
export function canHappen(state: OrderState, event: LifeEvent): boolean {
  return MOVES.get(state)?.has(event) ?? false
}

/** Returns the state after the event; an event absent from the table is a bug. */
export function stateAfter(state: OrderState, event: LifeEvent): OrderState {
  const next = MOVES.get(state)?.get(event)
  if (next === undefined) throw new Bug(`an order that is ${state} cannot be ${event}`)
  return next
}

/** Returns whether an order in this state can still fill. */
export function isWorking(state: OrderState): boolean {
  return state === 'SUBMITTED' || state === 'WORKING' || state === 'PARTLY_FILLED'
}
