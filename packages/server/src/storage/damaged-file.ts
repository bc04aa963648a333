import { renameSync, rmSync } from 'node:fs'

/** SQLite's code for a damaged file. */
export const CORRUPT = 11
const NOT_A_DATABASE = 26

/** Whether a fault of SQLite says that the file itself is damaged, rather than the disk full or the folder closed. */
export function isDamaged(fault: unknown): boolean {
  const { errcode } = Object(fault)
  // The low byte of an extended code is the plain one.
  return typeof errcode === 'number' && [CORRUPT, NOT_A_DATABASE].includes(errcode & 0xff)
}

/** Moves a damaged database aside, so that it can be examined, and returns its new name. */
export function moveAside(file: string): string {
  const aside = `${file}.damaged`
  renameSync(file, aside)
  // They belong to the moved file; a new one must not find them.
  for (const part of ['-wal', '-shm']) rmSync(`${file}${part}`, { force: true })
  return aside
}
