import type { Account, RiskLimits, RiskMetrics, StoredRiskLimits, TradingState } from '@binnacle/contract'
import type { AccountView, RawLimits, RiskView, TradingStateReason } from '@binnacle/engine'
import { decimalToWire } from './decimal.wire.ts'

export function metricsToWire(view: RiskView, account: AccountView): RiskMetrics {
  return {
    total_exposure: decimalToWire(view.totalExposure),
    margin_used: decimalToWire(view.marginUsed),
    margin_available: decimalToWire(view.marginAvailable),
    max_drawdown: decimalToWire(view.maxDrawdown),
    var_1d: view.valueAtRisk === null ? null : decimalToWire(view.valueAtRisk),
    position_count: view.positionCount,
    account: accountToWire(view, account),
  }
}

export function accountToWire(view: RiskView, account: AccountView): Account {
  return {
    ...(account.currency !== null && { currency: account.currency }),
    ...(account.leftOut.length > 0 && { left_out: [...account.leftOut] }),
    equity: decimalToWire(account.equity),
    cash: decimalToWire(account.cash),
    starting_capital: Number(account.exact.deposited),
    day_pnl: decimalToWire(view.dayResult),
    realized_pnl: decimalToWire(account.realised),
    unrealized_pnl: decimalToWire(account.unrealised),
    fees: decimalToWire(account.fees),
    funding: decimalToWire(account.funding),
  }
}

export function limitsToWire({ limits }: RiskView): StoredRiskLimits {
  return {
    max_order_size: limits.maxOrderSize,
    max_position_size: limits.maxPositionSize,
    max_daily_loss: limits.maxDailyLoss,
    max_positions: limits.maxPositions,
  }
}

export function limitsFromWire(limits: RiskLimits): RawLimits {
  return {
    maxOrderSize: limits.max_order_size,
    maxPositionSize: limits.max_position_size,
    maxDailyLoss: limits.max_daily_loss,
    maxPositions: limits.max_positions,
  }
}

/** A desk that stopped itself is HALTED whatever its journal says: it lets nothing through. */
export function tradingStateToWire(view: RiskView, haltReason: string | null): TradingState {
  if (haltReason !== null)
    return { state: 'HALTED', reason: `Trading stopped itself: ${haltReason}.`, since: null }
  return {
    state: view.tradingState,
    reason: view.tradingStateReason && reasonToWire(view.tradingStateReason),
    since: new Date(view.tradingStateSince).toISOString(),
  }
}

function reasonToWire(reason: TradingStateReason): string {
  switch (reason.code) {
    case 'asked':
      return reason.note === '' ? 'Set by hand.' : `Set by hand: ${asSentence(reason.note)}`
    case 'daily-loss':
      return `Today's loss of ${reason.loss.toFixed(2)} reached the Max Daily Loss of ${reason.limit.toFixed(2)}.`
    case 'emergency':
      return 'Set by the emergency control.'
    case 'fault':
      return `The engine stopped itself: ${reason.message}.`
    default:
      return reason satisfies never
  }
}

/** Other words follow it on the screen. */
function asSentence(note: string): string {
  return /[.!?]$/.test(note) ? note : `${note}.`
}
