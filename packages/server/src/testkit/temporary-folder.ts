import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** When to clean up: after the test, or afterAll for what a whole file shares. */
export type AtEnd = (cleanUp: () => void | Promise<void>) => void

/** A folder with these files, gone when the test is over. */
export function temporaryFolder(files: Record<string, string> = {}, atEnd: AtEnd = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-server-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
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
