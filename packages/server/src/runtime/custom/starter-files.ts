import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const STARTER = fileURLToPath(new URL('./starter/', import.meta.url))
/** What a module can use; it belongs to the server, so it is always this server's. */
const API = 'binnacle.ts'

/** Lays out the folder of custom strategies with a template and an example; what a person wrote is left alone. */
export function layOutStrategies(folder: string): void {
  try {
    if (!existsSync(folder)) {
      mkdirSync(folder, { recursive: true })
      cpSync(STARTER, folder, { recursive: true })
    }
    cpSync(join(STARTER, API), join(folder, API))
  } catch {
    // Without the folder there is only no custom strategy; a disk that takes nothing is told by the journal.
  }
}
