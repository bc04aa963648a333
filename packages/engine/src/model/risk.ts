import type { DecimalText } from '#values/decimal.ts'
import type { Money } from '#values/money.ts'
import type { VenueId } from './instrument.ts'

/** The four limits that every order adding exposure is checked against. */
export interface Limits {
  /** Value of one order. */
  readonly maxOrderSize: Money
  /** Gross exposure of all positions and working orders. */
  readonly maxPositionSize: Money
  /** Realised plus unrealised loss since 00:00 UTC. */
  readonly maxDailyLoss: Money
  readonly maxPositions: number
}

/** Limits as entered, in quote currency. */
export interface RawLimits {
  readonly maxOrderSize: DecimalText
  readonly maxPositionSize: DecimalText
  readonly maxDailyLoss: DecimalText
  readonly maxPositions: number
}

/** RISK-10: the limits of a new desk. */
export const DEFAULT_LIMITS: RawLimits = {
  maxOrderSize: 10_000,
  maxPositionSize: 50_000,
  maxDailyLoss: 5_000,
  maxPositions: 10,
}

/** ACTIVE accepts orders, REDUCING only those that reduce, HALTED none. Cancels always pass. */
export const TRADING_STATES = ['ACTIVE', 'REDUCING', 'HALTED'] as const
export type TradingState = (typeof TRADING_STATES)[number]

/** Why the state changed. Only a person's command leads back to ACTIVE. */
export type TradingStateReason =
  | { readonly code: 'asked'; readonly note: string }
  | { readonly code: 'daily-loss'; readonly loss: number; readonly limit: number }
  /** The journal failed or an invariant broke, and the desk halted itself. */
  | { readonly code: 'fault'; readonly message: string }
  /** The emergency control closes all positions, or has closed them. */
  | { readonly code: 'emergency' }

/** What the emergency control found at a venue when it began, or left there when it ended. */
export interface EmergencyScope {
  readonly venue: VenueId
  readonly orders: number
  readonly positions: number
}

/** 'flat': all closed. 'ended': a person ended it before. 'halted': a person halted trading before. */
export type EmergencyOutcome = 'flat' | 'ended' | 'halted'
