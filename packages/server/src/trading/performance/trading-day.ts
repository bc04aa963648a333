import { type FinishedStatus, moneyToNumber, NO_MONEY, nearestMoney, plus } from '@binnacle/engine'
import type { TimeRange, TradeHistory } from '#storage/orders/trade-history.ts'

/** What was traded in a period, for the daily report. */
export interface TradingDay {
  readonly fills: number
  readonly volume: number
  readonly fees: number
  readonly realised: number
  readonly ordersByStatus: Readonly<Record<FinishedStatus, number>>
}

export function sumTradingDay(history: TradeHistory, range: TimeRange): TradingDay {
  let [fills, volume, fees, realised] = [0, NO_MONEY, NO_MONEY, NO_MONEY]
  for (const fill of history.fills(range)) {
    fills += 1
    volume = plus(volume, nearestMoney(fill.value))
    fees = plus(fees, nearestMoney(fill.fee))
    realised = plus(realised, nearestMoney(fill.realised))
  }
  return {
    fills,
    volume: moneyToNumber(volume),
    fees: moneyToNumber(fees),
    realised: moneyToNumber(realised),
    ordersByStatus: history.countOrders(range),
  }
}
