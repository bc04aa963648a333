import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { cruise, type IConfiguration, type ICruiseResult, type IModule } from 'dependency-cruiser'
import { conclude, type Findings } from './findings.ts'
import { ROOT } from './launch/project.mjs'
import engineLayers from './source/engine-layers.json' with { type: 'json' }
import { folderCycles, folderImports } from './source/folder-imports.ts'
import { PACKAGES } from './source/packages.ts'
import { sourceFiles } from './source/tree.ts'

/** Checks the dependencies of style 2: between packages, inside web, server and engine, and no cycles. */
export async function checkDependencies(root: string, imports = readImports(root)): Promise<Findings> {
  const { modules, summary } = await imports
  const comments = new Map(rulesFile().forbidden?.map((rule) => [rule.name, rule.comment]))
  const broken = summary.violations.map(
    ({ from, to, rule }) => `${from} imports ${to}: ${comments.get(rule.name) ?? rule.name}.`,
  )
  const cycles = folderCycles(folderImports(modules))
  return {
    wrong: [
      ...checkManifests(root),
      ...broken,
      ...cycles.map(({ from, to, example }) => `${from} and ${to} import one another: ${example}.`),
      ...unlistedLayers(modules),
      ...unseenFiles(root, modules),
    ],
    notes: [`${ownModules(modules).length} files, ${summary.totalDependenciesCruised} imports`],
  }
}

/** Every file of the packages with what it imports, as dependency-cruiser reads it. */
export async function readImports(root: string): Promise<ICruiseResult> {
  const { options, forbidden } = rulesFile()
  const starts = [...new Set(sourceFiles(root).map((path) => path.split('/')[0] ?? ''))]
  if (starts.length === 0) throw new Error(`There is no source under ${root}.`)
  const ruleSet = { forbidden: forbidden ?? [] }
  const { output } = await cruise(starts, { ...options, baseDir: root, validate: true, ruleSet })
  if (typeof output === 'string') throw new Error(output)
  return output
}

/** Our own modules, without the libraries and Node modules they import. */
export function ownModules(modules: IModule[]): IModule[] {
  return modules.filter(
    ({ source }) => /^(packages|e2e|bench|tools)\//.test(source) && /\.(tsx?|mjs)$/.test(source),
  )
}

export function checkManifests(root: string): string[] {
  return Object.entries(PACKAGES).flatMap(([name, { folder, mayImport }]) => {
    const file = join(root, folder, 'package.json')
    if (!existsSync(file)) return []
    const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(file, 'utf8'))
    return Object.keys({ ...dependencies, ...devDependencies })
      .filter(
        (other) => other.startsWith('@binnacle/') && !mayImport.includes(other.slice('@binnacle/'.length)),
      )
      .map((other) => `${folder}/package.json lists ${other}, which ${name} may not import.`)
  })
}

/** A folder without a layer could import anything. */
function unlistedLayers(modules: IModule[]): string[] {
  const known = new Set([...engineLayers, 'testkit'])
  const folders = modules.flatMap(({ source }) => /^packages\/engine\/src\/([^/]+)\//.exec(source)?.[1] ?? [])
  return [...new Set(folders)]
    .filter((folder) => !known.has(folder))
    .map((folder) => `packages/engine/src/${folder} is missing in tools/source/engine-layers.json.`)
}

/** A check that read no files would pass everything. */
function unseenFiles(root: string, modules: IModule[]): string[] {
  const seen = new Set(modules.map(({ source }) => source))
  return sourceFiles(root)
    .filter((path) => !seen.has(path))
    .map((path) => `${path} was not read by the dependency check.`)
}

function rulesFile(): IConfiguration {
  return createRequire(import.meta.url)('../.dependency-cruiser.cjs')
}

if (import.meta.main) conclude('dependencies', await checkDependencies(ROOT))
