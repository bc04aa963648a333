import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const STARTER = fileURLToPath(new URL('./starter/', import.meta.url))
/** The types of the module API; overwritten at every start, so they always match the server. */
const API = 'binnacle.ts'

/** Creates the folder of custom strategies with a template and an example. Existing files of the user are not changed. */
export function writeStarterFiles(folder: string): void {
  try {
    if (!existsSync(folder)) {
      mkdirSync(folder, { recursive: true })
      cpSync(STARTER, folder, { recursive: true })
    }
    cpSync(join(STARTER, API), join(folder, API))
  } catch {
    // Without the folder only custom strategies are unavailable; the journal reports a full disk.
  }
}
