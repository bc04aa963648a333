import { statfs } from 'node:fs/promises'
import { StartRefusal } from '#config/start-refusal.ts'

/** Returns the free bytes of the disk with this folder; undefined if the file system does not report them. */
export type FreeSpace = (folder: string) => Promise<number | undefined>

/** The write-ahead logs of the stores may take this much before they are copied back. */
const NEEDED_BYTES = 64_000_000

async function freeSpaceOf(folder: string): Promise<number | undefined> {
  const { blocks, bavail, bsize } = await statfs(folder)
  return blocks === 0 ? undefined : bavail * bsize
}

/** The refusal of a start without enough space, or undefined. Other work may need further bytes. */
export async function diskRefusal(
  folder: string,
  freeSpace: FreeSpace = freeSpaceOf,
  extraBytes = 0,
): Promise<StartRefusal | undefined> {
  const free = await freeSpace(folder)
  const needed = NEEDED_BYTES + extraBytes
  if (free === undefined || free >= needed) return undefined
  return new StartRefusal(
    `The disk of the data folder ${folder} is full: ${megabytes(free)} MB are free, ${megabytes(needed)} MB are needed. Free some space, or set BINNACLE_DATA to another folder.`,
  )
}

function megabytes(bytes: number): number {
  return Math.floor(bytes / 100_000) / 10
}
