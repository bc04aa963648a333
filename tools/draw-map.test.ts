import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkMap, drawMap } from './draw-map.ts'
import { drawSvg } from './map/svg.ts'
import { PACKAGES } from './source/packages.ts'
import { temporaryFolder, writeFiles } from './testkit/temporary-folder.ts'

test('the picture has a box per package, its folders, and an arrow with the number of importing files', async () => {
  const root = aTree()
  await drawMap(root)
  const svg = readFileSync(join(root, 'docs/map.svg'), 'utf8')
  const texts = [...svg.matchAll(/<text class="(\w+)"[^>]*>([^<]*)</g)].map(
    (match) => `${match[1]} ${match[2]}`,
  )
  expect(texts).toEqual(['name engine', 'folder orders/', 'name bench', 'count 2'])
})

test('a fresh picture passes', async () => {
  const root = aTree()
  await drawMap(root)
  expect(await checkMap(root)).toEqual({ wrong: [], notes: ['docs/map.svg shows the code as it is'] })
})

test('planted: an import added after the picture was drawn, and no picture at all', async () => {
  const root = aTree()
  const stale = { wrong: ['docs/map.svg does not show the code as it is: run npm run map.'], notes: [] }
  expect(await checkMap(root)).toEqual(stale)
  await drawMap(root)
  writeFiles(root, { 'bench/third.ts': IMPORT })
  expect(await checkMap(root)).toEqual(stale)
})

test('tests are left out of the picture', async () => {
  const root = aTree()
  await drawMap(root)
  writeFiles(root, { 'bench/third.test.ts': IMPORT })
  expect((await checkMap(root)).wrong).toEqual([])
})

test('every package has a place of its own, and one without is an error', () => {
  const packages = Object.keys(PACKAGES).map((name) => ({ name, folders: [] }))
  const svg = drawSvg({ packages, dependencies: [] })
  const corners = [...svg.matchAll(/class="box" x="(\d+)" y="(\d+)"/g)].map(
    (match) => `${match[1]} ${match[2]}`,
  )
  expect(new Set(corners).size).toBe(packages.length)
  const unknown = { packages: [{ name: 'unknown', folders: [] }], dependencies: [] }
  expect(() => drawSvg(unknown)).toThrow('unknown has no place on the map')
})

test('the same packages give the same picture', () => {
  const graph = { packages: [{ name: 'web', folders: ['ui'] }], dependencies: [] }
  expect(drawSvg(graph)).toBe(drawSvg(structuredClone(graph)))
})

const IMPORT = "import '../packages/engine/src/index.ts'"

function aTree(): string {
  return temporaryFolder({
    'docs/rules.md': '',
    'packages/engine/src/index.ts': "export * from './orders/order.ts'",
    'packages/engine/src/orders/order.ts': 'export const order = 1',
    'bench/first.ts': IMPORT,
    'bench/second.ts': IMPORT,
  })
}
