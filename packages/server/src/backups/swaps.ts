import { readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import { renameDurably, sync, writeDurably } from './durable-files.ts'
import type { Step } from './kind.ts'

const Move = z.object({
  place: z.string(),
  /** What is to be there; with null, nothing. */
  fresh: z.string().nullable(),
  /** Where what is there goes meanwhile, so that it can come back. A file needs none: one rename replaces it. */
  former: z.string().optional(),
})
export type Move = z.output<typeof Move>

/** Things that take the places of others. Once ready, it is carried out to its end, if need be by the next start. */
const Swap = z.object({ isReady: z.boolean(), moves: z.array(Move) })
type Swap = z.output<typeof Swap>

/**
 * Fills what is to be there, under other names, and then moves it in. Whatever fails or is killed on the way, all
 * places hold what they held or all hold what is new.
 */
export async function swapIn(
  { note, moves, step }: { note: string; moves: readonly Move[]; step: Step },
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

/** What another is to replace: both stand beside it under names that nothing looks at. */
export function moveBeside(place: string): { place: string; fresh: string; former: string } {
  const beside = join(dirname(place), `.${basename(place)}`)
  return { place, fresh: `${beside}.restoring`, former: `${beside}.former` }
}

/** Notes that a file beside another is nobody's, should this server not live to remove it. */
export async function noteBeside(note: string, place: string, fresh: string): Promise<void> {
  await writeSwap(note, { isReady: false, moves: [{ place, fresh }] })
}

async function writeSwap(note: string, swap: { isReady: boolean; moves: readonly Move[] }): Promise<void> {
  await writeDurably(note, JSON.stringify(swap))
}

async function undo(moves: readonly Move[]): Promise<void> {
  for (const { place, former } of moves) {
    if (former !== undefined && (await isThere(former))) {
      await removeAll([place])
      await renameDurably(former, place)
    }
  }
}

/** Does what is not done yet, so it may be cut short and carried out again. */
async function carryOut(moves: readonly Move[], step?: Step): Promise<void> {
  for (const { place, fresh, former } of moves) {
    const isDue = fresh === null || (await isThere(fresh))
    if (isDue && former !== undefined && (await isThere(place))) {
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

/** Removes what a swap needed, whether it was carried out or not. */
async function clearMoves(moves: readonly Move[]): Promise<void> {
  await removeAll(moves.flatMap(({ fresh, former }) => [fresh ?? [], former ?? []].flat()))
}

/** Ends what a killed server left: nothing stands between old and new afterwards. Tells what was put in place. */
export async function settleSwaps(folder: string): Promise<string[]> {
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

export async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** A note has its name only when it is whole; what is not was still being written. */
async function readSwap(note: string): Promise<Swap | undefined> {
  if (!note.endsWith('.json')) return undefined
  return Swap.parse(JSON.parse(await readFile(note, 'utf8')))
}
