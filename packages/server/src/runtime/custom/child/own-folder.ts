import { registerHooks } from 'node:module'
import { URL } from 'node:url'

/**
 * Lets only files of the folder be imported from now on. The permission model alone would leave Node's own modules:
 * signals to other processes, and SQLite files that are attached where nothing may be written.
 */
export function keepToFolder(folder: string): void {
  // Node reads addresses by the same class after us.
  Object.freeze(URL.prototype)
  Object.freeze(URL)
  registerHooks({
    resolve(specifier, { parentURL }) {
      const url = parse(specifier, parentURL)
      // Read once: what is judged is what is loaded.
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

// The module may change what strings and addresses can do for everyone; it is judged by what they could before it was
// loaded.
const { call } = Function.prototype
const { parse } = URL
// Bound to what it calls, `call` takes the text or the address first.
const startsWith = call.bind(String.prototype.startsWith) as (text: string, start: string) => boolean
// The same.
const endsWith = call.bind(String.prototype.endsWith) as (text: string, end: string) => boolean
const hrefOf = readerOf('href')
const pathOf = readerOf('pathname')

function readerOf(field: 'href' | 'pathname'): (url: URL) => string {
  const read = Object.getOwnPropertyDescriptor(URL.prototype, field)?.get
  if (read === undefined) throw new Error(`an address has no ${field}`)
  // The same.
  return call.bind(read) as (url: URL) => string
}

function formatOf(path: string): string | undefined {
  if (endsWith(path, '.ts') || endsWith(path, '.mts')) return 'module-typescript'
  if (endsWith(path, '.js') || endsWith(path, '.mjs')) return 'module'
  return endsWith(path, '.json') ? 'json' : undefined
}
