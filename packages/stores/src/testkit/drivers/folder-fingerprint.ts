import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Checksums of all files below a folder. Links are not followed. */
export function folderFingerprint(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return Object.entries(folderFingerprint(path))
    return entry.isFile() ? [[path, hash('sha256', readFileSync(path))] as const] : []
  })
  return Object.fromEntries(entries)
}
