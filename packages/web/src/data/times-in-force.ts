import type { NewOrder } from '@binnacle/contract'

export type TimeInForce = NonNullable<NewOrder['time_in_force']>

/** ORD-55: the times in force of each type, the default first. */
export const TIMES_IN_FORCE_OF: Readonly<Record<NewOrder['type'], readonly [TimeInForce, ...TimeInForce[]]>> =
  {
    MARKET: ['IOC', 'FOK'],
    LIMIT: ['GTC', 'IOC', 'FOK'],
    STOP: ['GTC'],
  }

/** ORD-70: the one that was chosen if the type allows it, else the type's default. */
export function timeInForceOf(type: NewOrder['type'], chosen: TimeInForce | undefined): TimeInForce {
  const allowed = TIMES_IN_FORCE_OF[type]
  return allowed.find((each) => each === chosen) ?? allowed[0]
}
