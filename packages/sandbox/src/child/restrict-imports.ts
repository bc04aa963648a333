import { registerHooks } from 'node:module'
import { URL } from 'node:url'

/**
 * Restricts imports to files of the folder. The permission model alone would leave Node's built-in modules, which can
 * signal other processes and attach SQLite files outside the folder.
 */
export function restrictImports(folder: string): void {
  // Node's loader uses the same class after this hook.
  Object.freeze(URL.prototype)
  Object.freeze(URL)
  registerHooks({
    resolve(specifier, { parentURL }) {
      const url = parse(specifier, parentURL)
      // Read once, so that the checked URL is the one that is loaded.
      const href = url === null ? '' : hrefOf(url)
      const format = url === null ? undefined : formatOf(pathOf(url))
      if (format === undefined || !startsWith(href, folder)) {
        throw new Error(
          `it imports '${specifier}', but it can only import .ts, .js and .json files of its own folder`,
        )
      }
      return { url: href, format, shortCircuit: true }
    },
  })
}

// Methods are taken before the module is loaded, as it may replace those of strings and URLs.
const { call } = Function.prototype
const { parse } = URL
// `call` bound to a method takes its `this` as the first argument, which the type of `bind` does not express.
const startsWith = call.bind(String.prototype.startsWith) as (text: string, start: string) => boolean
// As above.
const endsWith = call.bind(String.prototype.endsWith) as (text: string, end: string) => boolean
const hrefOf = readerOf('href')
const pathOf = readerOf('pathname')

function readerOf(field: 'href' | 'pathname'): (url: URL) => string {
  const read = Object.getOwnPropertyDescriptor(URL.prototype, field)?.get
  if (read === undefined) throw new Error(`an address has no ${field}`)
  // As above.
  return call.bind(read) as (url: URL) => string
}

function formatOf(path: string): string | undefined {
  if (endsWith(path, '.ts') || endsWith(path, '.mts')) return 'module-typescript'
  if (endsWith(path, '.js') || endsWith(path, '.mjs')) return 'module'
  return endsWith(path, '.json') ? 'json' : undefined
}
