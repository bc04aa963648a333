import type { Intent } from './intent.ts'
import type { Runner } from './runner.ts'
import type { StrategyBar } from './strategy.ts'

/**
 * Lets a strategy hear a bar, or of a quote when there is none, and returns why it failed, if it did. What a strategy
 * throws is its own fault and ends nothing but that strategy; the engine's own work is done outside.
 */
export function attempt(runner: Runner, slot: number, bar: StrategyBar | null): string | null {
  const { strategy, desk } = runner
  try {
    if (bar === null) strategy.onQuote?.(slot, desk)
    else strategy.onBar?.(bar, desk)
    return null
  } catch (cause) {
    return reasonOf(runner, cause)
  }
}

/** Puts what a strategy outside the engine wants on its desk, and returns why it makes no sense, if it does not. */
export function attemptIntents(runner: Runner, intents: readonly Intent[]): string | null {
  const { desk } = runner
  try {
    for (const intent of intents) {
      if (intent.type === 'cancel') desk.cancel(intent.orderId)
      else if (intent.type === 'target') desk.target(intent.slot, intent.lots)
      else desk.place(intent.slot, intent.side, intent.lots, intent.wish)
    }
    return null
  } catch (cause) {
    return reasonOf(runner, cause)
  }
}

const LONGEST = 500

function reasonOf({ desk }: Runner, cause: unknown): string {
  desk.intents.length = 0
  const reason = cause instanceof Error ? cause.message : String(cause)
  return reason.slice(0, LONGEST) || 'it failed without a word'
}
