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

const NOWHERE: Moves = {}

function anyTimeWhileWorking(stay: OrderState): Moves {
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

/** An order's whole life: state × event → state. What is absent cannot happen. */
export const ORDER_LIFE: Readonly<Record<OrderState, Moves>> = {
  NEW: { denied: 'DENIED', submitted: 'SUBMITTED' },
  SUBMITTED: {
    ...anyTimeWhileWorking('SUBMITTED'),
    accepted: 'WORKING',
    triggered: 'WORKING',
    rejected: 'REJECTED',
  },
  WORKING: { ...anyTimeWhileWorking('WORKING'), triggered: 'WORKING' },
  PARTLY_FILLED: anyTimeWhileWorking('PARTLY_FILLED'),
  FILLED: NOWHERE,
  CANCELLED: NOWHERE,
  REJECTED: NOWHERE,
  DENIED: NOWHERE,
}

/** The same table for looking up: every event of every order asks it, and a map answers soonest. */
const MOVES = new Map(
  Object.entries(ORDER_LIFE).map(([state, moves]) => [state, new Map(Object.entries(moves))]),
)

/** Says whether the event can happen to an order in this state. */
export function canHappen(state: OrderState, event: LifeEvent): boolean {
  return MOVES.get(state)?.has(event) ?? false
}

/** Returns the state after the event; an event absent from the table is a bug. */
export function stateAfter(state: OrderState, event: LifeEvent): OrderState {
  const next = MOVES.get(state)?.get(event)
  if (next === undefined) throw new Bug(`an order that is ${state} cannot be ${event}`)
  return next
}

/** Says whether an order in this state can still fill. */
export function isWorking(state: OrderState): boolean {
  return state === 'SUBMITTED' || state === 'WORKING' || state === 'PARTLY_FILLED'
}
