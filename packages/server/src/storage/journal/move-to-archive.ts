import { setTimeout } from 'node:timers/promises'
import type { Segment } from './archive.ts'
import { damaged, type Line, verifyLine } from './journal-line.ts'
import type { JournalStore } from './journal-store.ts'

/** A file's worth: small enough to be read as a whole. */
const SEGMENT_ENTRIES = 10_000

/** What is done in one go beside trading: a millisecond or two ... */
const STEP_ENTRIES = 250
/** ... and a pause so many times as long, since commands wait for their own commit meanwhile; ... */
const PAUSE_TIMES = 40
/** ... shorter when more waits than a start should have to look through. */
const HURRIED_PAUSE_TIMES = 3
const MUCH = 500_000
/** A disk that is slow for once does not hold it up for longer than this. */
const LONGEST_PAUSE_MS = 250

/**
 * Moves the journal's entries up to the given one into the archive, a little at a time so that trading goes on
 * between. An entry leaves the journal only when a file that holds it was read back from the disk.
 */
export async function moveToArchive(
  journal: JournalStore,
  upTo: number,
  isStopped: () => boolean = () => false,
): Promise<void> {
  while (journal.base().seq < upTo && !isStopped()) {
    const first = journal.base().seq + 1
    const known = journal.archive.holding(first)
    const pauseTimes = upTo - first > MUCH ? HURRIED_PAUSE_TIMES : PAUSE_TIMES
    const giveWay = (tookMs: number) => setTimeout(Math.min(pauseTimes * tookMs, LONGEST_PAUSE_MS))
    const segment = known ? await checkAgainst(journal, known) : await keepNext(journal, upTo, giveWay)
    await forgetSlowly(journal, segment, { giveWay, isStopped })
  }
}

async function keepNext(journal: JournalStore, upTo: number, giveWay: GiveWay): Promise<Segment> {
  const before = journal.base()
  const last = Math.min(before.seq + SEGMENT_ENTRIES, upTo)
  const lines: Line[] = []
  let link = before
  while (link.seq < last) {
    const begun = performance.now()
    const slice = journal.lines(link.seq, Math.min(STEP_ENTRIES, last - link.seq))
    if (slice.length === 0) throw damaged(`entry ${link.seq + 1} is missing`)
    for (const line of slice) {
      verifyLine(line, link)
      link = line
    }
    lines.push(...slice)
    await giveWay(performance.now() - begun)
  }
  return journal.archive.keep(before, lines)
}

/** A stop between keeping and forgetting leaves entries in both places: the file is used if it holds the same ones. */
async function checkAgainst(journal: JournalStore, segment: Segment): Promise<Segment> {
  const { lines } = await journal.archive.read(segment)
  const [kept] = journal.lines(segment.last - 1, 1)
  if (kept === undefined || kept.chain !== lines.at(-1)?.chain) {
    throw damaged(`archived entries ${segment.first} to ${segment.last} are not the journal's`)
  }
  return segment
}

/** A stop leaves the rest in both places, for the next start to forget. */
async function forgetSlowly(
  journal: JournalStore,
  { last }: Segment,
  { giveWay, isStopped }: { giveWay: GiveWay; isStopped: () => boolean },
): Promise<void> {
  while (journal.base().seq < last && !isStopped()) {
    const begun = performance.now()
    journal.forget(Math.min(journal.base().seq + STEP_ENTRIES, last))
    await giveWay(performance.now() - begun)
  }
}

/** Lets trading go on after a step that took so long. */
type GiveWay = (tookMs: number) => Promise<unknown>
