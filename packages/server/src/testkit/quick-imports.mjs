import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'

/**
 * Loaded before the programs and threads of tests. Most of a start is the loading of modules, and half of that is finding
 * their files: Node looks at the disk and at package.json for each import. Ours name their file with its ending.
 */
registerHooks({
  resolve(specifier, context, nextResolve) {
    const bundle = BUNDLES.get(specifier)
    if (bundle !== undefined) return { url: bundle, format: 'module', shortCircuit: true }
    const parent = context.parentURL ?? ''
    if (specifier.endsWith('.ts') && !parent.includes('/node_modules/')) {
      if (specifier.startsWith('./')) return typescript(new URL(specifier, parent).href)
      if (specifier.startsWith('#')) {
        const sources = parent.lastIndexOf('/src/') + '/src/'.length
        return typescript(parent.slice(0, sources) + specifier.slice(1))
      }
    }
    return nextResolve(specifier, context)
  },
})

/** Packages that are one file each here (bundles.setup.ts); also found so by the processes of backtests. */
const BUNDLES = new Map(
  ['@binnacle/engine', '@binnacle/contract', 'kysely', 'zod'].flatMap((name) => {
    const file = new URL(`../../../../.cache/bundled/src/${name.replace(/^.*\//, '')}.mjs`, import.meta.url)
    return existsSync(file) ? [[name, file.href]] : []
  }),
)

/** @param {string} url */
function typescript(url) {
  return { url, format: 'module-typescript', shortCircuit: true }
}
