import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const PACKAGES = resolve(import.meta.dirname, '../../..')
const FOLDER = resolve(import.meta.dirname, '../../../../.cache/compiled')

/** Also loaded by the project's tests themselves (vitest.config.ts), for the threads that they start. */
const QUICK_IMPORTS = pathToFileURL(join(import.meta.dirname, 'quick-imports.mjs')).href

/** For processes of ours in tests, which are started again and again: Node keeps there what it made of the sources. */
export const COMPILED = { NODE_COMPILE_CACHE: FOLDER, NODE_OPTIONS: `--import=${QUICK_IMPORTS}` }

/** Written when a server has filled the folder; other programs of ours use the folder too. */
const FILLED = join(FOLDER, 'server')

/**
 * A server that is killed leaves nothing there, so a server is ended as it should be before the first test, and again when
 * a source has changed.
 */
export async function fillCompiled(): Promise<void> {
  if (existsSync(FILLED) && !hasNewerSource(statSync(FILLED).mtimeMs)) return
  const dataFolder = mkdtempSync(join(tmpdir(), 'binnacle-compiled-'))
  const ports = { BINNACLE_TRADING_PORT: '0', BINNACLE_ADMIN_PORT: '0', BINNACLE_DATABASE_PORT: '0' }
  const server = spawn(process.execPath, [join(import.meta.dirname, '..', 'main.ts')], {
    env: {
      ...COMPILED,
      ...ports,
      BINNACLE_DATA: dataFolder,
      BINNACLE_SITE: 'none',
      BINNACLE_HISTORY_DAYS: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(server, 'exit')
  // Its first output means that it is up; a failed start shows in the tests.
  await Promise.race([once(server.stdout, 'data'), ended])
  server.kill('SIGTERM')
  await ended
  rmSync(dataFolder, { recursive: true, force: true })
  if (existsSync(FOLDER)) writeFileSync(FILLED, '')
}

function hasNewerSource(filledAt: number): boolean {
  const sources = globSync('*/src/**/*.ts', { cwd: PACKAGES })
  return sources.some((source) => statSync(join(PACKAGES, source)).mtimeMs > filledAt)
}
