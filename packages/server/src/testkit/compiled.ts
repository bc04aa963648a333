import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = resolve(import.meta.dirname, '../../../..')
const FOLDER = join(ROOT, '.cache', 'compiled')
const RESOLUTIONS = join(FOLDER, 'resolutions.json')

/** For processes of ours in tests, which are started again and again: Node keeps there what it made of the sources. */
export const COMPILED = { NODE_COMPILE_CACHE: FOLDER, NODE_OPTIONS: `--import=${resolutionScript()}` }

/** Names the packages with which a server has filled the folder; other programs of ours use the folder too. */
const FILLED = join(FOLDER, 'server')

/** A server that is killed leaves nothing there, so before the first one a server is ended as it should be. */
export async function fillCompiled(): Promise<void> {
  const packages = hashOfPackages()
  if (existsSync(FILLED) && readFileSync(FILLED, 'utf8') === packages) return
  mkdirSync(FOLDER, { recursive: true })
  const dataFolder = mkdtempSync(join(tmpdir(), 'binnacle-compiled-'))
  const ports = { BINNACLE_TRADING_PORT: '0', BINNACLE_ADMIN_PORT: '0', BINNACLE_DATABASE_PORT: '0' }
  const server = spawn(process.execPath, [join(import.meta.dirname, '..', 'main.ts')], {
    env: {
      NODE_COMPILE_CACHE: FOLDER,
      NODE_OPTIONS: `--import=${resolutionScript('record')}`,
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
  writeFileSync(FILLED, packages)
}

function resolutionScript(action = 'reuse'): string {
  const script = pathToFileURL(join(import.meta.dirname, 'resolution.script.ts'))
  script.search = String(new URLSearchParams({ [action]: '', file: pathToFileURL(RESOLUTIONS).href }))
  return script.href
}

/** What an import leads to changes only with these files: imports name files in full. */
function hashOfPackages(): string {
  const files = ['package-lock.json', ...globSync('packages/*/package.json', { cwd: ROOT }).sort()]
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(join(ROOT, file)))
  return hash.digest('hex')
}
