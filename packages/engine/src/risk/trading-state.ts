/** ACTIVE trades; REDUCING lets only orders through that reduce; HALTED lets none. Cancels always pass. */
export const TRADING_STATES = ['ACTIVE', 'REDUCING', 'HALTED'] as const
export type TradingState = (typeof TRADING_STATES)[number]

/** Why the state changed; no reason ever leads back to ACTIVE but a person's. */
export type TradingStateReason =
  | { readonly code: 'asked'; readonly note: string }
  | { readonly code: 'daily-loss'; readonly loss: number; readonly limit: number }
  /** The journal failed or an invariant broke, and the desk stopped itself. */
  | { readonly code: 'fault'; readonly message: string }
