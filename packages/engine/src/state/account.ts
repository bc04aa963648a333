import type { Event } from '#model/event.ts'
import type { Side } from '#model/tick.ts'
import { type Money, minus, NO_MONEY, plus } from '#values/money.ts'

/** The money of the desk. Always, to the unit: cash + cost of all positions = deposited + realised − fees + funding. */
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
    account.cash = plus(account.cash, event.amount)
    account.funding = plus(account.funding, event.amount)
  } else if (event.type === 'OrderFilled' && side !== null) {
    account.cash = minus(
      side === 'BUY' ? minus(account.cash, event.notional) : plus(account.cash, event.notional),
      event.fee,
    )
    account.realised = plus(account.realised, event.realised)
    account.fees = plus(account.fees, event.fee)
  }
}
