import { rename, writeFile } from 'node:fs/promises'

/**
 * Keeps soft state in a file, beside trading: nothing waits for the disk. After a crash the file has the old contents or
 * the new ones; a power failure may lose it, and costs only what the state is worth. So does a full disk, which halts
 * trading through the journal and needs no second alarm.
 */
export async function keepSoftState(file: string, text: string): Promise<void> {
  try {
    await writeFile(`${file}.new`, text)
    await rename(`${file}.new`, file)
  } catch {}
}
