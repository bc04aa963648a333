import { registerHooks } from 'node:module'
import { URL } from 'node:url'

const FORMATS: Readonly<Record<string, string>> = {
  '.ts': 'module-typescript',
  '.mts': 'module-typescript',
  '.js': 'module',
  '.mjs': 'module',
  '.json': 'json',
}

/**
 * Lets only files of the folder be imported from now on. The permission model alone would leave Node's own modules:
 * signals to other processes, and SQLite files that are attached where nothing may be written.
 */
export function keepToFolder(folder: string): void {
  registerHooks({
    resolve(specifier, { parentURL }) {
      const url = URL.parse(specifier, parentURL)
      const format = FORMATS[/\.\w+$/.exec(url?.pathname ?? '')?.[0] ?? '']
      const isOwn = /^(\.{1,2}\/|file:)/.test(specifier) && url?.href.startsWith(folder)
      if (!isOwn || url === null || format === undefined) {
        throw new Error(
          `it imports '${specifier}', but it can only import .ts, .js and .json files of its own folder`,
        )
      }
      return { url: url.href, format, shortCircuit: true }
    },
  })
}
