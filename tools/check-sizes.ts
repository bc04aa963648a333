import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { conclude, type Findings } from './findings.ts'
import { ROOT } from './launch/project.mjs'
import { isTest, sourceFiles } from './source/tree.ts'

/** Style B.5: where a file or folder stops. */
const STOP = { source: 300, component: 200, test: 500, filesInFolder: 20 }

interface Sized {
  path: string
  lines: number
}

export function checkSizes(root: string): Findings {
  const files = sourceFiles(root).map((path) => ({ path, lines: countLines(join(root, path)) }))
  return { wrong: [...oversizedFiles(files), ...crowdedFolders(files)], notes: [describeSizes(files)] }
}

function oversizedFiles(files: Sized[]): string[] {
  return files
    .map((file) => ({ ...file, kind: kindOf(file.path) }))
    .filter(({ lines, kind }) => lines > STOP[kind])
    .map(({ path, lines, kind }) => `${path} has ${lines} lines; a ${kind} file stops at ${STOP[kind]}.`)
}

function crowdedFolders(files: Sized[]): string[] {
  // A test sits beside its subject and is no further idea in the folder.
  const folders = Map.groupBy(
    files.filter(({ path }) => !isTest(path)),
    ({ path }) => dirname(path),
  )
  return [...folders]
    .filter(([, members]) => members.length > STOP.filesInFolder)
    .map(
      ([folder, { length }]) => `${folder} holds ${length} files; a folder stops at ${STOP.filesInFolder}.`,
    )
}

function describeSizes(files: Sized[]): string {
  const sorted = files.map(({ lines }) => lines).sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return `${files.length} files, median ${at(0.5)} lines, 95 % within ${at(0.95)} (aim: 50 to 90, and 220)`
}

function kindOf(path: string): 'source' | 'component' | 'test' {
  if (isTest(path)) return 'test'
  return path.endsWith('.tsx') ? 'component' : 'source'
}

function countLines(file: string): number {
  return readFileSync(file, 'utf8').trimEnd().split('\n').length
}

if (import.meta.main) conclude('sizes', checkSizes(ROOT))
