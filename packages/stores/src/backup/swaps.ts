import { readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import type { StepHook } from './backup-driver.ts'
import { renameDurably, sync, writeDurably } from './durable-files.ts'

const Move = z.object({
  place: z.string(),
  /** The new file or folder; null to remove the old one. */
  fresh: z.string().nullable(),
  /** Where the old one is kept for an undo. A single file needs none: one rename replaces it. */
  former: z.string().optional(),
})
export type Move = z.output<typeof Move>

/** A set of replacements. Once ready, it is completed, if necessary at the next start. */
const Swap = z.object({ isReady: z.boolean(), moves: z.array(Move) })
type Swap = z.output<typeof Swap>

/**
 * Creates the new files under temporary names and moves them in. After any failure or kill either all old or all new
 * ones are in place.
 */
export async function swapIn(
  { note, moves, step }: { note: string; moves: readonly Move[]; step: StepHook },
  fill: () => Promise<void>,
): Promise<void> {
  await writeSwap(note, { isReady: false, moves })
  try {
    await clearMoves(moves)
    await fill()
    await step('note the swap')
    await writeSwap(note, { isReady: true, moves })
    await carryOut(moves, step)
    await step('clear up')
  } catch (fault) {
    await undo(moves)
    await clearMoves(moves)
    await removeAll([note])
    throw fault
  }
  await clearMoves(moves)
  await removeAll([note])
}

/** A replacement with hidden temporary names in the same folder. */
export function moveWithTemporaries(place: string): { place: string; fresh: string; former: string } {
  const beside = join(dirname(place), `.${basename(place)}`)
  return { place, fresh: `${beside}.restoring`, former: `${beside}.former` }
}

/** Records a temporary file, so that the next start removes it after a crash. */
export async function noteTemporaryFile(note: string, place: string, fresh: string): Promise<void> {
  await writeSwap(note, { isReady: false, moves: [{ place, fresh }] })
}

async function writeSwap(note: string, swap: { isReady: boolean; moves: readonly Move[] }): Promise<void> {
  await writeDurably(note, JSON.stringify(swap))
}

async function undo(moves: readonly Move[]): Promise<void> {
  for (const { place, former } of moves) {
    if (former !== undefined && (await pathExists(former))) {
      await removeAll([place])
      await renameDurably(former, place)
    }
  }
}

/** Completes the moves. Idempotent, so it can be repeated after a crash. */
async function carryOut(moves: readonly Move[], step?: StepHook): Promise<void> {
  for (const { place, fresh, former } of moves) {
    const isDue = fresh === null || (await pathExists(fresh))
    if (isDue && former !== undefined && (await pathExists(place))) {
      await step?.('move the old away')
      await removeAll([former])
      await rename(place, former)
    }
    if (isDue && fresh !== null) {
      await step?.('move the new in')
      await rename(fresh, place)
    }
    await sync(dirname(place))
  }
}

/** Removes the temporary files of a swap. */
async function clearMoves(moves: readonly Move[]): Promise<void> {
  await removeAll(moves.flatMap(({ fresh, former }) => [fresh ?? [], former ?? []].flat()))
}

/** Completes or undoes the swaps of a killed server. Returns the replaced paths. */
export async function finishSwaps(folder: string): Promise<string[]> {
  const placed: string[] = []
  for (const name of await readdir(folder).catch(() => [])) {
    const note = join(folder, name)
    const swap = await readSwap(note)
    if (swap?.isReady) {
      await carryOut(swap.moves)
      placed.push(...swap.moves.map(({ place }) => place))
    }
    await clearMoves(swap?.moves ?? [])
    await removeAll([note])
  }
  return placed
}

export async function removeAll(paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { recursive: true, force: true })
}

export async function pathExists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** A note without its final name was still being written and is ignored. */
async function readSwap(note: string): Promise<Swap | undefined> {
  if (!note.endsWith('.json')) return undefined
  const text = await readFile(note, 'utf8')
  try {
    return Swap.parse(JSON.parse(text))
  } catch (cause) {
    throw new DamagedSwapNote(note, { cause })
  }
}

/** An interrupted restore may have moved some files and not others, so that nothing may be opened before it is settled. */
export class DamagedSwapNote extends Error {
  constructor(note: string, options: ErrorOptions) {
    super(
      `The note ${note} of an interrupted restore is damaged, so the restore can be neither completed nor undone. Put back the stores that it replaced, from files that end with .former or from a backup, then delete the note.`,
      options,
    )
  }
}
