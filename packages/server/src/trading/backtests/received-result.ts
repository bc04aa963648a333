import { BacktestResult } from '@binnacle/contract'
import type { NewBacktestResult } from '#storage/admin/backtests-store.ts'
import { parseJson } from '#storage/parse-json.ts'
import { hashOf, storedOf } from './stored-result.ts'

/** Checks of results that other programs made, apart from `stored-result.ts`: threads of backtests load no schemas. */

/** The result of another engine; undefined if it is not valid. Its own hash is not ours. */
export function toForeignResult(
  result: unknown,
  approximations: readonly string[],
): NewBacktestResult | undefined {
  const parsed = BacktestResult.omit({ hash: true }).safeParse(result)
  if (!parsed.success) return undefined
  const whole = { ...parsed.data, approximations: [...approximations] }
  return storedOf(whole, hashOf(whole))
}

/** A stored result that came from elsewhere; undefined if it is not valid or its hash is of another. */
export function readStoredResult(text: string): NewBacktestResult | undefined {
  const json = parseJson(text)
  if (!BacktestResult.safeParse(json).success) return undefined
  // The hash covers the text, so the fields stay in their order.
  const { hash, ...result } = json as BacktestResult
  return hashOf(result) === hash ? storedOf(result, hash) : undefined
}
