import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'

/** Gives a file other contents: it has the old or the new ones, whenever the power fails. */
export function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text)
  const handle = openSync(`${file}.new`, 'r')
  fsyncSync(handle)
  closeSync(handle)
  renameSync(`${file}.new`, file)
}
