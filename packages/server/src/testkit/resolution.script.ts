import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded before a program of a test (compiled.ts), on its threads too. Finding the files of about 1,000 imports takes a
 * quarter of the processor time of a start, so one process records what each import leads to and others read it.
 */
type Resolutions = Record<string, Record<string, { url: string; format: string }>>

const given = new URL(import.meta.url)
const file = fileURLToPath(new URL(given.searchParams.get('file') ?? '', given))

if (given.searchParams.has('record')) record()
else if (existsSync(file)) reuse(JSON.parse(readFileSync(file, 'utf8')))

function record(): void {
  if (!isMainThread) return
  const resolutions: Resolutions = {}
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context)
      const { url, format } = resolved
      const { parentURL } = context
      if (parentURL !== undefined && typeof format === 'string' && isImport(context)) {
        resolutions[parentURL] ??= {}
        resolutions[parentURL][specifier] = { url, format }
      }
      return resolved
    },
  })
  process.on('exit', () => {
    // Other processes may be reading it.
    writeFileSync(`${file}.new`, JSON.stringify(resolutions))
    // A server gives its files to nobody else, and some tests start one as another user.
    chmodSync(`${file}.new`, 0o644)
    renameSync(`${file}.new`, file)
  })
}

function reuse(resolutions: Resolutions): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const known = isImport(context) ? resolutions[context.parentURL ?? '']?.[specifier] : undefined
      return known === undefined ? nextResolve(specifier, context) : { ...known, shortCircuit: true }
    },
  })
}

/** `require` of the same name may lead to another file. */
function isImport({ conditions }: { conditions: readonly string[] }): boolean {
  return conditions.includes('import')
}
