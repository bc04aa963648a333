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

/** Lines of each kind that are held, so that orders do not displace what was done with the strategy. */
const MAX_LINES = 200
/** A strategy that was added long ago may have more entries behind it than are read. */
const MAX_ENTRIES = 200_000

interface HeldLog extends StrategyLog {
  /** The last entry that was read. */
  readonly upTo: number
}

/** The logs of strategies, read from the journal once; later only what is new. */
export class StrategyLogs {
  readonly #held = new Map<StrategyId, HeldLog>()

  /** `revision` is an entry that the journal has by now. */
  async read(
    journal: Pick<JournalReader, 'searchBack'>,
    strategy: StrategyId,
    { instruments, revision }: { instruments: Instruments; revision: number },
  ): Promise<StrategyLog> {
    const held = this.#held.get(strategy)
    const query = { words: `"${strategy}"`, after: held?.upTo ?? 0, maxEntries: MAX_ENTRIES }
    const { lines, last } = await collect(journal.searchBack(query), strategy, instruments)
    const log = trim([...lines, ...(held?.lines ?? [])], held?.isComplete)
    this.#held.set(strategy, { ...log, upTo: Math.max(revision, last) })
    return log
  }
}

/** Reads until the strategy was added, newest first. */
async function collect(
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

/** Of each kind the latest lines. */
export function trim(lines: readonly StrategyLogLine[], wasComplete = true): StrategyLog {
  const counts = new Map(LOG_KINDS.map((kind) => [kind, 0]))
  const held = lines.filter(({ kind }) => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return count <= MAX_LINES
  })
  const isWhole = held.length === lines.length && held.some(({ event }) => event === 'StrategyAdded')
  return { lines: held, isComplete: wasComplete && isWhole }
}
