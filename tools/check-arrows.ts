import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { cruise, type IConfiguration, type ICruiseResult, type IModule } from 'dependency-cruiser'
import { conclude, type Findings } from './findings.ts'
import { ROOT } from './launch/project.mjs'
import { ROOMS } from './source/rooms.ts'
import { sourceFiles } from './source/tree.ts'

/** Holds the arrows of the style's B.2: between rooms, inside web and server, and no cycle anywhere. */
export async function checkArrows(root: string): Promise<Findings> {
  const { modules, summary } = await readImports(root)
  const comments = new Map(rulesFile().forbidden?.map((rule) => [rule.name, rule.comment]))
  const crossed = summary.violations.map(
    ({ from, to, rule }) => `${from} imports ${to}: ${comments.get(rule.name) ?? rule.name}.`,
  )
  const wrong = [...checkManifests(root), ...crossed, ...climbs(modules), ...unseen(root, modules)]
  return { wrong, notes: [`${ours(modules).length} files seen, ${summary.totalDependenciesCruised} arrows`] }
}

/** Every file of the rooms with what it imports, as dependency-cruiser sees it. */
export async function readImports(root: string): Promise<ICruiseResult> {
  const { options, forbidden } = rulesFile()
  const starts = [...new Set(sourceFiles(root).map((path) => path.split('/')[0] ?? ''))]
  if (starts.length === 0) throw new Error(`There is no source under ${root}.`)
  const ruleSet = { forbidden: forbidden ?? [] }
  const { output } = await cruise(starts, { ...options, baseDir: root, validate: true, ruleSet })
  if (typeof output === 'string') throw new Error(output)
  return output
}

/** Modules of our own, without the packages and Node modules at the ends of their arrows. */
export function ours(modules: IModule[]): IModule[] {
  return modules.filter(
    ({ source }) => /^(packages|e2e|bench|tools)\//.test(source) && /\.(tsx?|mjs)$/.test(source),
  )
}

export function checkManifests(root: string): string[] {
  return Object.entries(ROOMS).flatMap(([room, { folder, mayImport }]) => {
    const file = join(root, folder, 'package.json')
    if (!existsSync(file)) return []
    const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(file, 'utf8'))
    return Object.keys({ ...dependencies, ...devDependencies })
      .filter((name) => name.startsWith('@binnacle/') && !mayImport.includes(name.slice('@binnacle/'.length)))
      .map((name) => `${folder}/package.json lists ${name}, which ${room} may not import.`)
  })
}

function climbs(modules: IModule[]): string[] {
  return modules.flatMap(({ source, dependencies }) =>
    dependencies
      .filter(({ module }) => module.startsWith('../../'))
      .map(({ module }) => `${source} imports ${module}: use the package's # imports instead.`),
  )
}

/** A checker that silently saw nothing would pass everything. */
function unseen(root: string, modules: IModule[]): string[] {
  const seen = new Set(modules.map(({ source }) => source))
  return sourceFiles(root)
    .filter((path) => !seen.has(path))
    .map((path) => `${path} was not seen by the check of arrows.`)
}

function rulesFile(): IConfiguration {
  return createRequire(import.meta.url)('../.dependency-cruiser.cjs')
}

if (import.meta.main) conclude('arrows', await checkArrows(ROOT))
