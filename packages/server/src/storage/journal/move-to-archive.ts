import { setTimeout } from 'node:timers/promises'
import type { Segment } from './archive.ts'
import { damagedFault, type Line, verifyLine } from './journal-line.ts'
import type { JournalStore } from './journal-store.ts'

/** Entries per archive file, which is read as a whole. */
const SEGMENT_ENTRIES = 10_000

/** Entries per step: one or two milliseconds. */
const STEP_ENTRIES = 250
/** The pause after a step is this many times its duration, because commands wait for their commit meanwhile. */
const PAUSE_FACTOR = 40
/** Used while the backlog exceeds BACKLOG_ENTRIES, which would slow a start. */
const BACKLOG_PAUSE_FACTOR = 3
const BACKLOG_ENTRIES = 500_000
/** Limits the pause after a step that a slow disk delayed. */
const MAX_PAUSE_MS = 250

/**
 * Moves the journal's entries up to the given one into the archive, in small steps with pauses for trading. An entry is
 * deleted from the journal only after its archive file was read back.
 */
export async function moveToArchive(
  journal: JournalStore,
  upTo: number,
  isStopped: () => boolean = () => false,
): Promise<void> {
  while (journal.base().seq < upTo && !isStopped()) {
    const first = journal.base().seq + 1
    const existing = journal.archive.findSegment(first)
    const pauseFactor = upTo - first > BACKLOG_ENTRIES ? BACKLOG_PAUSE_FACTOR : PAUSE_FACTOR
    const pause = (tookMs: number) => setTimeout(Math.min(pauseFactor * tookMs, MAX_PAUSE_MS))
    const segment = existing
      ? await verifySegment(journal, existing)
      : await archiveNext(journal, upTo, pause)
    await deleteArchived(journal, segment, { pause, isStopped })
  }
}

async function archiveNext(journal: JournalStore, upTo: number, pause: Pause): Promise<Segment> {
  const before = journal.base()
  const last = Math.min(before.seq + SEGMENT_ENTRIES, upTo)
  const lines: Line[] = []
  let link = before
  while (link.seq < last) {
    const startMs = performance.now()
    const slice = journal.lines(link.seq, Math.min(STEP_ENTRIES, last - link.seq))
    if (slice.length === 0) throw damagedFault(`entry ${link.seq + 1} is missing`)
    for (const line of slice) {
      verifyLine(line, link)
      link = line
    }
    lines.push(...slice)
    await pause(performance.now() - startMs)
  }
  return journal.archive.write(before, lines)
}

/** A stop between writing and deleting leaves entries in both places; the segment is used if its chain matches. */
async function verifySegment(journal: JournalStore, segment: Segment): Promise<Segment> {
  const { lines } = await journal.archive.read(segment)
  const [stored] = journal.lines(segment.last - 1, 1)
  if (stored === undefined || stored.chain !== lines.at(-1)?.chain) {
    throw damagedFault(`archived entries ${segment.first} to ${segment.last} differ from the journal`)
  }
  return segment
}

/** A stop leaves the remaining entries in both places; the next start deletes them. */
async function deleteArchived(
  journal: JournalStore,
  { last }: Segment,
  { pause, isStopped }: { pause: Pause; isStopped: () => boolean },
): Promise<void> {
  while (journal.base().seq < last && !isStopped()) {
    const startMs = performance.now()
    journal.deleteUpTo(Math.min(journal.base().seq + STEP_ENTRIES, last))
    await pause(performance.now() - startMs)
  }
}

/** Waits after a step of the given duration. */
type Pause = (tookMs: number) => Promise<unknown>
