import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

/** When to clean up: after the test, or after all of those that share something. */
export type AtEnd = (cleanUp: () => void | Promise<void>) => void

/**
 * After all tests of the file or group in which it is called, the last thing made being the first to go. Vitest does not
 * hear an afterAll that is called inside a hook, where such things are made.
 */
export function afterAllTests(): AtEnd {
  const cleanUps: (() => void | Promise<void>)[] = []
  afterAll(async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp()
  })
  return (cleanUp) => void cleanUps.push(cleanUp)
}

/** A folder with these files, gone when the test is over. */
export function temporaryFolder(files: Record<string, string> = {}, atEnd: AtEnd = onTestFinished): string {
  if (atEnd === afterAll) throw new Error('Nobody hears afterAll in a hook: give afterAllTests() instead')
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-server-'))
  atEnd(() => removeFolder(folder))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

/** Node gives up in silence when a thread that ends takes a file of its own away meanwhile. */
function removeFolder(folder: string): void {
  while (existsSync(folder)) rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}

/** A built site, as small as it can be. */
export function builtSite(atEnd?: AtEnd): string {
  const files = {
    'index.html': '<!doctype html><title>Binnacle</title>',
    'colour-scheme.js': 'void 0',
    'assets/main-4f2a.js': 'void 1',
  }
  return temporaryFolder(files, atEnd)
}
