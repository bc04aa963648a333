import { type TradeRatios, tradeRatiosOf } from '#backtest/statistics.ts'
import { type Money, minus, moneyToNumber, NO_MONEY, nearestMoney, plus } from '#values/money.ts'

/** Sums of closed trades, exact. */
export interface TradeSums {
  count: number
  won: number
  gained: Money
  lost: Money
}

export function noTrades(): TradeSums {
  return { count: 0, won: 0, gained: NO_MONEY, lost: NO_MONEY }
}

/** Adds the result of a closed trade, after fees and funding. */
export function addTrade(sums: TradeSums, result: Money): void {
  sums.count += 1
  if (result > 0) {
    sums.won += 1
    sums.gained = plus(sums.gained, result)
  } else sums.lost = minus(sums.lost, result)
}

export function ratiosOfTrades({ count, won, gained, lost }: TradeSums): TradeRatios {
  return tradeRatiosOf({ count, won, gained: moneyToNumber(gained), lost: moneyToNumber(lost) })
}

/** What a fill cost against a mid price: positive when it was worse. */
export function slippageOf(
  fill: { readonly side: 'BUY' | 'SELL'; readonly price: number; readonly quantity: number },
  mid: number,
): Money {
  const worse = fill.side === 'BUY' ? fill.price - mid : mid - fill.price
  return nearestMoney(worse * fill.quantity)
}
