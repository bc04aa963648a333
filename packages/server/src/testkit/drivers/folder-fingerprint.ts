import { hash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Every file below a folder with its content, so that a new, changed or missing one shows. */
export function folderFingerprint(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
  const files = names.map((name) => join(folder, name)).filter((path) => lstatSync(path).isFile())
  return Object.fromEntries(files.map((path) => [relative(folder, path), hash('sha256', readFileSync(path))]))
}
