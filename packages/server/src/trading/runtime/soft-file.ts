import { rename, writeFile } from 'node:fs/promises'

/**
 * Writes soft state without a sync. After a crash the file has the old or the new contents; a power failure may lose it.
 * Errors are ignored: a full disk halts trading through the journal.
 */
export async function writeSoftState(file: string, text: string): Promise<void> {
  try {
    await writeFile(`${file}.new`, text)
    await rename(`${file}.new`, file)
  } catch {}
}
