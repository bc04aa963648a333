import type { IModule } from 'dependency-cruiser'
import { ours, readImports } from '../check-arrows.ts'
import { ROOMS, roomOf } from '../source/rooms.ts'
import { isTest } from '../source/tree.ts'

export interface Graph {
  rooms: { name: string; folders: string[] }[]
  /** How many files of one room import another. */
  arrows: { from: string; to: string; files: number }[]
}

/** The rooms as they stand and the arrows between them, tests left out. */
export async function readGraph(root: string): Promise<Graph> {
  const { modules } = await readImports(root)
  const sources = ours(modules).filter(({ source }) => !isTest(source) && !source.includes('/testkit/'))
  const rooms = Object.keys(ROOMS)
    .map((name) => ({ name, folders: foldersOf(name, sources) }))
    .filter(({ name }) => sources.some(({ source }) => roomOf(source) === name))
  return { rooms, arrows: arrowsBetween(sources) }
}

function foldersOf(room: string, sources: IModule[]): string[] {
  const start = `${ROOMS[room]?.folder}/`
  const inside = sources
    .filter(({ source }) => source.startsWith(start))
    .map(({ source }) => source.slice(start.length).replace(/^src\//, ''))
  return [...new Set(inside.flatMap((path) => path.match(/^([^/]+)\//)?.[1] ?? []))].sort()
}

function arrowsBetween(sources: IModule[]): Graph['arrows'] {
  const crossings = sources.flatMap(({ source, dependencies }) => {
    const from = roomOf(source)
    const targets = new Set(dependencies.map(({ resolved }) => roomOf(resolved)))
    return [...targets].filter((to) => to !== undefined && to !== from).map((to) => `${from} ${to}`)
  })
  return [...Map.groupBy(crossings, (crossing) => crossing)]
    .map(([crossing, { length }]) => {
      const [from = '', to = ''] = crossing.split(' ')
      return { from, to, files: length }
    })
    .sort((a, b) => `${a.from} ${a.to}`.localeCompare(`${b.from} ${b.to}`))
}
