import { registerHooks } from 'node:module'

/**
 * Loaded before the programs and threads of tests. Most of a start is the loading of modules, and half of that is finding
 * their files: Node looks at the disk and at package.json for each import. Ours name their file with its ending.
 */
registerHooks({
  resolve(specifier, context, nextResolve) {
    const parent = context.parentURL ?? ''
    if (specifier.endsWith('.ts') && !parent.includes('/node_modules/')) {
      if (specifier.startsWith('./')) return typescript(new URL(specifier, parent).href)
      if (specifier.startsWith('#')) {
        const sources = parent.lastIndexOf('/src/') + '/src/'.length
        return typescript(parent.slice(0, sources) + specifier.slice(1))
      }
    }
    if (specifier.startsWith('.') && /\/node_modules\/(kysely|zod)\//.test(parent)) {
      return { url: new URL(specifier, parent).href, format: 'module', shortCircuit: true }
    }
    return nextResolve(specifier, context)
  },
})

/** @param {string} url */
function typescript(url) {
  return { url, format: 'module-typescript', shortCircuit: true }
}
