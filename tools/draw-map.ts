import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readImports } from './check-dependencies.ts'
import { conclude, type Findings } from './findings.ts'
import { ROOT } from './launch/project.mjs'
import { graphOf } from './map/graph.ts'
import { drawSvg } from './map/svg.ts'

const MAP = join('docs', 'map.svg')

/** Draws docs/map.svg from the real imports. */
export async function drawMap(root: string): Promise<void> {
  const { modules } = await readImports(root)
  writeFileSync(join(root, MAP), drawSvg(graphOf(modules)))
}

/** Fails if the committed picture differs from the code. */
export async function checkMap(root: string, imports = readImports(root)): Promise<Findings> {
  const file = join(root, MAP)
  const committed = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const { modules } = await imports
  const isFresh = committed === drawSvg(graphOf(modules))
  return isFresh
    ? { wrong: [], notes: ['docs/map.svg shows the code as it is'] }
    : { wrong: ['docs/map.svg does not show the code as it is: run npm run map.'], notes: [] }
}

if (import.meta.main) {
  if (process.argv.includes('--check')) conclude('map', await checkMap(ROOT))
  else await drawMap(ROOT)
}
