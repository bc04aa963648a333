import type { Event } from '#event.ts'
import type { Side } from '#market/tick.ts'
import { signedNotional } from '#positions/pnl.ts'
import { type Money, money, NO_MONEY } from '#values/money.ts'

/**
 * The money of the desk. It always holds, to the unit, that
 * cash + cost of all positions = deposited + realised − fees + funding.
 */
export interface Account {
  deposited: Money
  cash: Money
  realised: Money
  fees: Money
  funding: Money
}

export function createAccount(): Account {
  return { deposited: NO_MONEY, cash: NO_MONEY, realised: NO_MONEY, fees: NO_MONEY, funding: NO_MONEY }
}

/** Folds the events that move money; a fill needs the side of its order. */
export function applyToAccount(account: Account, event: Event, side: Side | null): void {
  if (event.type === 'DeskOpened') {
    account.deposited = event.cash
    account.cash = event.cash
  } else if (event.type === 'FundingPaid') {
    account.cash = money(account.cash + event.amount)
    account.funding = money(account.funding + event.amount)
  } else if (event.type === 'OrderFilled' && side !== null) {
    account.cash = money(account.cash - signedNotional({ side, notional: event.notional }) - event.fee)
    account.realised = money(account.realised + event.realised)
    account.fees = money(account.fees + event.fee)
  }
}
