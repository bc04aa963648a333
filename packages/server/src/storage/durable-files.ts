import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'

/** Replaces a file atomically: after a power failure it has the old or the new contents. */
export function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { flush: true })
  renameSync(`${file}.new`, file)
}

/** Syncs a file, or the entries of a folder, to disk. */
export function syncPath(path: string): void {
  const handle = openSync(path, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

/** The same outside the calling thread, for one that answers requests: a slow disk takes tens of milliseconds. */
export async function syncPathAside(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
