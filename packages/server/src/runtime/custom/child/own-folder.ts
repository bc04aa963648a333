import { registerHooks } from 'node:module'
import { URL } from 'node:url'

/**
 * Lets only files of the folder be imported from now on. The permission model alone would leave Node's own modules:
 * signals to other processes, and SQLite files that are attached where nothing may be written.
 */
export function keepToFolder(folder: string): void {
  registerHooks({
    resolve(specifier, { parentURL }) {
      const url = URL.parse(specifier, parentURL)
      const format = url === null ? undefined : formatOf(url.pathname)
      if (url === null || format === undefined || !startsWith(url.href, folder)) {
        throw new Error(
          `it imports '${specifier}', but it can only import .ts, .js and .json files of its own folder`,
        )
      }
      return { url: url.href, format, shortCircuit: true }
    },
  })
}

// The module may change what strings can do for everyone; it is judged by what they could before it was loaded.
const { call } = Function.prototype
// Bound to what it calls, `call` takes the text first.
const startsWith = call.bind(String.prototype.startsWith) as (text: string, start: string) => boolean
// The same.
const endsWith = call.bind(String.prototype.endsWith) as (text: string, end: string) => boolean

function formatOf(path: string): string | undefined {
  if (endsWith(path, '.ts') || endsWith(path, '.mts')) return 'module-typescript'
  if (endsWith(path, '.js') || endsWith(path, '.mjs')) return 'module'
  return endsWith(path, '.json') ? 'json' : undefined
}
