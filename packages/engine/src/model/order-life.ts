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

/** Returns whether the event is possible in this state. */
export function canHappen(state: OrderState, event: LifeEvent): boolean {
  return movesFrom(state).has(event)
}

/** Returns the state after the event; an event absent from the table is a bug. */
export function stateAfter(state: OrderState, event: LifeEvent): OrderState {
  const next = movesFrom(state).get(event)
  if (next === undefined) throw new Bug(`an order that is ${state} cannot be ${event}`)
  return next
}

/** The rows of the table as maps, which are faster to look up. */
const FROM_NEW = mapOf(ORDER_LIFE.NEW)
const FROM_SUBMITTED = mapOf(ORDER_LIFE.SUBMITTED)
const FROM_WORKING = mapOf(ORDER_LIFE.WORKING)
const FROM_PARTLY_FILLED = mapOf(ORDER_LIFE.PARTLY_FILLED)
const FROM_FINAL = mapOf(FINAL)

/** Comparing few states is faster than looking one up. */
function movesFrom(state: OrderState): ReadonlyMap<string, OrderState> {
  switch (state) {
    case 'WORKING':
      return FROM_WORKING
    case 'SUBMITTED':
      return FROM_SUBMITTED
    case 'NEW':
      return FROM_NEW
    case 'PARTLY_FILLED':
      return FROM_PARTLY_FILLED
    default:
      return FROM_FINAL
  }
}

function mapOf(moves: Moves): ReadonlyMap<string, OrderState> {
  return new Map(Object.entries(moves))
}

/** Returns whether an order in this state can still fill. */
export function isWorking(state: OrderState): boolean {
  return state === 'SUBMITTED' || state === 'WORKING' || state === 'PARTLY_FILLED'
}
