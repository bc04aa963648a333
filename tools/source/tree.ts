import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const SKIPPED = new Set(['node_modules', 'dist', '.cache', '.git', 'test-results'])

/** Every source file of the packages, as paths from the root with forward slashes. */
export function sourceFiles(root: string): string[] {
  const starts = readdirSync(root).filter((name) => SOURCE_FOLDERS.has(name))
  return starts.flatMap((start) => filesUnder(root, start)).filter((path) => /\.(tsx?|mjs|cjs)$/.test(path))
}

export function isTest(path: string): boolean {
  return /\.(test|test-d|journey|bench)\.tsx?$/.test(path)
}

const SOURCE_FOLDERS = new Set(['packages', 'e2e', 'bench', 'tools'])

function filesUnder(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => !SKIPPED.has(entry.name))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      return entry.isDirectory() ? filesUnder(root, path) : [path]
    })
}
