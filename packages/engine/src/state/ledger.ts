import type { Event } from '#model/event.ts'
import type { Moment } from '#model/journal-entry.ts'
import type { StrategyId } from '#values/ids.ts'
import { type Instant, startOfDay } from '#values/instant.ts'
import type { Money } from '#values/money.ts'
import { type Account, createAccount } from './account.ts'
import type { PositionRegister, StrategyResult } from './position-register.ts'
import type { RiskRegister } from './risk-register.ts'

/**
 * The account that is not in use: its money and what is measured against it. It holds no position and no order, since the
 * accounts are only swapped when there are none.
 */
export interface IdleLedger {
  readonly account: Account
  readonly day: Instant
  readonly equityAtDayStart: Money
  readonly highWater: Money
  readonly drawdownPpm: number
  readonly results: readonly (readonly [StrategyId, StrategyResult])[]
}

/** The parts of hard state that belong to the account in use. */
interface Ledgers {
  readonly account: Account
  readonly risk: RiskRegister
  readonly positions: PositionRegister
  idleLedger: IdleLedger | null
}

/** Folds the opening of the paper account and the swap of the accounts. */
export function applyToLedger(state: Ledgers, event: Event, { at }: Moment): void {
  if (event.type === 'PaperAccountOpened') {
    const { cash } = event
    state.idleLedger = {
      account: { ...createAccount(), deposited: cash, cash },
      day: startOfDay(at),
      equityAtDayStart: cash,
      highWater: cash,
      drawdownPpm: 0,
      results: [],
    }
  } else if (event.type === 'FeatureSwitched' && event.feature === 'paper-trading') swapAccounts(state)
}

function swapAccounts(state: Ledgers): void {
  const { account, risk, positions, idleLedger } = state
  if (idleLedger === null) return
  const { day, equityAtDayStart, highWater, drawdownPpm } = risk
  state.idleLedger = {
    account: { ...account },
    day,
    equityAtDayStart,
    highWater,
    drawdownPpm,
    results: [...positions.results],
  }
  Object.assign(account, idleLedger.account)
  risk.day = idleLedger.day
  risk.equityAtDayStart = idleLedger.equityAtDayStart
  risk.highWater = idleLedger.highWater
  risk.drawdownPpm = idleLedger.drawdownPpm
  positions.results.clear()
  for (const [strategy, result] of idleLedger.results) positions.results.set(strategy, { ...result })
}
