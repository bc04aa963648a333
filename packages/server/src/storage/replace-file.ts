import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'

/** Replaces a file atomically: after a power failure it has the old or the new contents. */
export function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text)
  const handle = openSync(`${file}.new`, 'r')
  fsyncSync(handle)
  closeSync(handle)
  renameSync(`${file}.new`, file)
}
