import type { TradingState } from '@binnacle/contract'
import { createFailureToasts } from './command-failures.ts'

const UNKNOWN: Record<TradingState['state'], string> = {
  HALTED: 'No answer. Trading may have been halted; check the trading state before trying again.',
  REDUCING: 'No answer. Trading may have become reduce-only; check the trading state before trying again.',
  ACTIVE: 'No answer. Trading may have been resumed; check the trading state before trying again.',
}

/** Shared by the risk screen and the shell's Resume Trading, so that a new try on either removes the last message. */
export const tradingStateFailures = createFailureToasts<TradingState['state']>({
  name: () => 'trading state',
  unknown: (state) => UNKNOWN[state],
})
