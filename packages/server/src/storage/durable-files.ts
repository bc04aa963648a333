import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'

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
