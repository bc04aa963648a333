import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

/** Registers a clean-up: after the test, or after all tests that share something. */
export type AtEnd = (cleanUp: () => void | Promise<void>) => void

/**
 * Cleans up after all tests of the file or group, in reverse order. Vitest ignores an afterAll that is called inside a
 * hook, where fixtures are created.
 */
export function afterAllTests(): AtEnd {
  const cleanUps: (() => void | Promise<void>)[] = []
  afterAll(async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp()
  })
  return (cleanUp) => void cleanUps.push(cleanUp)
}

/** A folder with these files, removed after the test. */
export function temporaryFolder(files: Record<string, string> = {}, atEnd: AtEnd = onTestFinished): string {
  if (atEnd === afterAll)
    throw new Error('Vitest ignores afterAll inside a hook. Pass afterAllTests() instead')
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-server-'))
  atEnd(() => removeFolder(folder))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

/** rmSync gives up silently when another thread removes a file at the same time. */
function removeFolder(folder: string): void {
  while (existsSync(folder)) rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}

/** A minimal built site. */
export function builtSite(atEnd?: AtEnd): string {
  const files = {
    'index.html': '<!doctype html><head><title>Binnacle</title></head>',
    '.vite/manifest.json': JSON.stringify({
      'src/app/shell/shell.tsx': {
        file: 'assets/shell-1.js',
        css: ['assets/shell-3.css'],
        imports: ['_parts.js'],
      },
      '_parts.js': { file: 'assets/parts-2.js', imports: ['src/app/shell/shell.tsx'] },
      'src/pages/orders-page.tsx': { file: 'assets/orders-4.js', imports: ['_parts.js'] },
    }),
    '.vite/screens.json': JSON.stringify({
      '/trader/orders': { module: 'src/pages/orders-page.tsx', calls: ['/api/orders?a=1&b=2'] },
    }),
    'colour-scheme.js': 'void 0',
    'assets/main-4f2a.js': 'void 1',
  }
  return temporaryFolder(files, atEnd)
}
