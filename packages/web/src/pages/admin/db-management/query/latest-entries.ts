import type { QueryHistoryItem } from '@binnacle/contract'

/** DB-18 */
const SHOWN_ENTRIES = 10

/** The newest entries first. A backend may send them in any order; those without a readable time keep theirs. */
export function latestEntries(history: readonly QueryHistoryItem[]): readonly QueryHistoryItem[] {
  const isDated = history.every(({ executed_at: at }) => !Number.isNaN(Date.parse(at)))
  const ordered = isDated
    ? history.toSorted((a, b) => Date.parse(b.executed_at) - Date.parse(a.executed_at))
    : history
  return ordered.slice(0, SHOWN_ENTRIES)
}
