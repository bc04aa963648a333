import {
  type Instruments,
  type JournalEntry,
  LOG_KINDS,
  type StrategyId,
  type StrategyLog,
  type StrategyLogLine,
  viewStrategyLog,
} from '@binnacle/engine'
import type { JournalReader } from '#storage/journal/journal-store.ts'

/** Lines of each kind that are cached, so that orders do not displace what was done with the strategy. */
const MAX_LINES = 200
/** A strategy that was added long ago may have more entries behind it than are read. */
const MAX_ENTRIES = 200_000

interface CachedLog extends StrategyLog {
  /** The last entry that was read. */
  readonly upTo: number
}

/** The logs of strategies, read from the journal once; later only what is new. */
export class StrategyLogs {
  readonly #cache = new Map<StrategyId, CachedLog>()

  /** `revision` is an entry that the journal has by now. */
  async read(
    journal: Pick<JournalReader, 'searchBack'>,
    strategy: StrategyId,
    { instruments, revision }: { instruments: Instruments; revision: number },
  ): Promise<StrategyLog> {
    const cached = this.#cache.get(strategy)
    const query = { words: `"${strategy}"`, after: cached?.upTo ?? 0, maxEntries: MAX_ENTRIES }
    const { lines, last } = await readNewLines(journal.searchBack(query), strategy, instruments)
    const log = latestOfEachKind([...lines, ...(cached?.lines ?? [])], cached?.isComplete)
    this.#cache.set(strategy, { ...log, upTo: Math.max(revision, last) })
    return log
  }
}

/** Reads until the strategy was added, newest first. */
async function readNewLines(
  entries: AsyncIterable<JournalEntry>,
  strategy: StrategyId,
  instruments: Instruments,
): Promise<{ lines: StrategyLogLine[]; last: number }> {
  const lines: StrategyLogLine[] = []
  let last = 0
  for await (const entry of entries) {
    last = Math.max(last, entry.seq)
    const found = viewStrategyLog(entry, strategy, instruments)
    lines.push(...found.reverse())
    if (found.some(({ event }) => event === 'StrategyAdded')) break
  }
  return { lines, last }
}

/** Leaves out the oldest lines of a kind that has too many. */
export function latestOfEachKind(lines: readonly StrategyLogLine[], wasComplete = true): StrategyLog {
  const counts = new Map(LOG_KINDS.map((kind) => [kind, 0]))
  const latest = lines.filter(({ kind }) => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return count <= MAX_LINES
  })
  const isWhole = latest.length === lines.length && latest.some(({ event }) => event === 'StrategyAdded')
  return { lines: latest, isComplete: wasComplete && isWhole }
}
