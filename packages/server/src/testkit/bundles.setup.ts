import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build } from 'vite'
import type { TestProject } from 'vitest/node'

const ROOT = resolve(import.meta.dirname, '../../../..')
/** The processes of custom strategies may read the parent of the folder with the engine. */
const FOLDER = resolve(ROOT, '.cache/bundled/src')

const BUNDLED = {
  'engine.mjs': 'packages/engine/src/index.ts',
  'contract.mjs': 'packages/contract/src/index.ts',
  'kysely.mjs': 'node_modules/kysely/dist/index.js',
  'zod.mjs': 'node_modules/zod/index.js',
}

/**
 * Makes one file of each package that most programs and threads of tests load (quick-imports.mjs). The journeys run
 * them as they are.
 */
export async function setup(project: TestProject): Promise<void> {
  await makeBundles()
  project.onTestsRerun(makeBundles)
}

async function makeBundles(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  for (const [name, entry] of Object.entries(BUNDLED)) {
    const file = resolve(FOLDER, name)
    // Another run may be reading it.
    writeFileSync(`${file}.${process.pid}`, await bundle(resolve(ROOT, entry)))
    renameSync(`${file}.${process.pid}`, file)
  }
}

async function bundle(entry: string): Promise<string> {
  const result = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    ssr: { external: ['zod'], noExternal: ['kysely'] },
    build: { ssr: entry, write: false, target: 'esnext', minify: false },
  })
  if (!('output' in result)) throw new Error(`${entry} was not bundled into one file`)
  const [{ code }, ...others] = result.output
  if (others.length > 0) throw new Error(`${entry} was not bundled into one file`)
  return code
}
