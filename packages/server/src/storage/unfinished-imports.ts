import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Folder of uploads among the data sets. */
export const UPLOADS = '.uploads'
/** How the folder of an import under way begins. */
export const STAGING = '.import-'

/** Deletes what uploads and imports of an earlier run left among the data sets. */
export function removeUnfinishedImports(dataSetsFolder: string): void {
  for (const name of namesIn(dataSetsFolder)) {
    if (name === UPLOADS || name.startsWith(STAGING))
      rmSync(join(dataSetsFolder, name), { recursive: true, force: true })
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // A folder that cannot be read is refused when the data sets are opened.
    return []
  }
}
