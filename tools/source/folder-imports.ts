import type { IModule } from 'dependency-cruiser'
import { isTest } from './tree.ts'

/** A folder that imports a folder beside it, with one import as the example. */
export interface FolderImport {
  from: string
  to: string
  example: string
}

/**
 * Imports between folders that lie side by side, at every level of a package's `src`, tests left out.
 * `a/b/x.ts` importing `a/c/d/y.ts` counts as `a/b` importing `a/c`.
 */
export function folderImports(modules: readonly IModule[]): FolderImport[] {
  const found = new Map<string, FolderImport>()
  for (const { source, dependencies } of modules) {
    if (!isProduct(source)) continue
    for (const { resolved } of dependencies) {
      const siblings = isProduct(resolved) ? siblingFolders(source, resolved) : undefined
      if (siblings === undefined) continue
      const [from, to] = siblings
      const key = `${from} ${to}`
      if (!found.has(key)) found.set(key, { from, to, example: `${source} imports ${resolved}` })
    }
  }
  return [...found.values()]
}

/** Pairs of folders each of which imports the other, as text. */
export function mutualImports(imports: readonly FolderImport[]): string[] {
  return imports
    .filter(({ from, to }) => from < to && imports.some((other) => other.from === to && other.to === from))
    .map(({ from, to }) => `${from} and ${to}`)
}

/** Imports that are part of a cycle: from the imported folder others lead back to the importing one. */
export function folderCycles(imports: readonly FolderImport[]): FolderImport[] {
  const targets = Map.groupBy(imports, ({ from }) => from)
  const canReach = (from: string, goal: string, visited = new Set<string>()): boolean => {
    if (from === goal) return true
    if (visited.has(from)) return false
    visited.add(from)
    return (targets.get(from) ?? []).some(({ to }) => canReach(to, goal, visited))
  }
  return imports.filter(({ from, to }) => canReach(to, from))
}

function isProduct(path: string): boolean {
  return /^packages\/[^/]+\/src\//.test(path) && !isTest(path) && !path.includes('/testkit/')
}

/** The folders in which two paths of one package part, or undefined where one file lies above the other. */
function siblingFolders(source: string, target: string): [string, string] | undefined {
  const [a, b] = [source.split('/'), target.split('/')]
  const parting = a.findIndex((part, index) => part !== b[index])
  if (parting < 3 || parting >= a.length - 1 || parting >= b.length - 1) return undefined
  return [a.slice(0, parting + 1).join('/'), b.slice(0, parting + 1).join('/')]
}
