import type { Instrument } from '#model/instrument.ts'
import { computeExposure, type RiskContext } from '#risk/exposure.ts'
import type { StrategyId } from '#values/ids.ts'
import { minus, moneyToNumber, NO_MONEY, plus, printMoney } from '#values/money.ts'

/** The desk's money: doubles for screens, exact text for calculation. */
export interface AccountView {
  /** Of all amounts; null where instruments differ in it. */
  readonly currency: string | null
  /** Amounts of other currencies that no rate is known for, such as '0.5 BTC': they are in no figure. */
  readonly leftOut: readonly string[]
  readonly cash: number
  readonly equity: number
  readonly realised: number
  readonly unrealised: number
  readonly fees: number
  readonly funding: number
  readonly exact: Readonly<Record<'deposited' | 'cash' | 'cost' | 'realised' | 'fees' | 'funding', string>>
  readonly strategies: readonly StrategyResultView[]
}

export interface StrategyResultView {
  readonly strategy: StrategyId
  readonly realised: number
  readonly fees: number
  readonly funding: number
  /** Closed positions, and the share of them that earned more than their fees; null before the first. */
  readonly trades: number
  readonly winRate: number | null
}

/** Returns the account at the marks given. */
export function viewAccount(context: RiskContext): AccountView {
  const { account, positions } = context.state
  const cost = [...positions.open.values()].reduce((sum, position) => plus(sum, position.cost), NO_MONEY)
  const { equity } = computeExposure(context)
  return {
    currency: currencyOf(context.instruments.all),
    leftOut: [],
    cash: moneyToNumber(account.cash),
    equity: moneyToNumber(equity),
    realised: moneyToNumber(account.realised),
    unrealised: moneyToNumber(minus(minus(equity, account.cash), cost)),
    fees: moneyToNumber(account.fees),
    funding: moneyToNumber(account.funding),
    exact: {
      deposited: printMoney(account.deposited),
      cash: printMoney(account.cash),
      cost: printMoney(cost),
      realised: printMoney(account.realised),
      fees: printMoney(account.fees),
      funding: printMoney(account.funding),
    },
    strategies: [...positions.results].map(([strategy, result]) => ({
      strategy,
      realised: moneyToNumber(result.realised),
      fees: moneyToNumber(result.fees),
      funding: moneyToNumber(result.funding),
      trades: result.closed,
      winRate: result.closed === 0 ? null : result.won / result.closed,
    })),
  }
}

function currencyOf(instruments: readonly Instrument[]): string | null {
  const quote = instruments[0]?.quote ?? null
  return instruments.every((instrument) => instrument.quote === quote) ? quote : null
}
