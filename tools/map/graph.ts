import type { IModule } from 'dependency-cruiser'
import { ownModules } from '../check-dependencies.ts'
import { PACKAGES, packageOf } from '../source/packages.ts'
import { isTest } from '../source/tree.ts'

export interface Graph {
  packages: { name: string; folders: string[] }[]
  /** How many files of one package import another. */
  dependencies: { from: string; to: string; files: number }[]
}

/** The packages and the imports between them, tests left out. */
export function graphOf(modules: IModule[]): Graph {
  const sources = ownModules(modules).filter(({ source }) => !isTest(source) && !source.includes('/testkit/'))
  const packages = Object.keys(PACKAGES)
    .map((name) => ({ name, folders: foldersOf(name, sources) }))
    .filter(({ name }) => sources.some(({ source }) => packageOf(source) === name))
  return { packages, dependencies: countDependencies(sources) }
}

function foldersOf(name: string, sources: IModule[]): string[] {
  const start = `${PACKAGES[name]?.folder}/`
  const inside = sources
    .filter(({ source }) => source.startsWith(start))
    .map(({ source }) => source.slice(start.length).replace(/^src\//, ''))
  return [...new Set(inside.flatMap((path) => path.match(/^([^/]+)\//)?.[1] ?? []))].sort()
}

function countDependencies(sources: IModule[]): Graph['dependencies'] {
  const pairs = sources.flatMap(({ source, dependencies }) => {
    const from = packageOf(source)
    const targets = new Set(dependencies.map(({ resolved }) => packageOf(resolved)))
    return [...targets].filter((to) => to !== undefined && to !== from).map((to) => `${from} ${to}`)
  })
  return [...Map.groupBy(pairs, (pair) => pair)]
    .map(([pair, { length }]) => {
      const [from = '', to = ''] = pair.split(' ')
      return { from, to, files: length }
    })
    .sort((a, b) => `${a.from} ${a.to}`.localeCompare(`${b.from} ${b.to}`))
}
