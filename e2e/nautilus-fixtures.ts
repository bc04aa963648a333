import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test as base, expect, type TestInfo } from '@playwright/test'
import { type BrowserWatch, watchTest } from './browser-watch.ts'
import { type OurServer, startOurServer } from './our-server.ts'

const ROOT = resolve(import.meta.dirname, '..')
/** An installation that runs beside the journeys takes about half a minute, longer on a busy machine. */
const INSTALL_MS = 240_000

export interface NautilusFixtures {
  /** The kinds of the server's engines by name, the default one first; without any it has one node. */
  engines: Readonly<Record<string, 'embedded' | 'nautilus'>>
  /** Our server over a NautilusTrader node of its own. */
  server: OurServer
  watch: BrowserWatch
}

/** The console over a NautilusTrader node. Without Python or its packages the journey is skipped and says why. */
export const test = base.extend<NautilusFixtures>({
  engines: [{}, { option: true }],
  server: [
    async ({ engines }, use, testInfo) => {
      const python = await requirePython(testInfo)
      const folder = await mkdtemp(join(tmpdir(), 'binnacle-engines-'))
      const file = join(folder, 'engines.json')
      const list = Object.entries(engines).map(([name, kind]) => ({ name, kind }))
      await writeFile(file, JSON.stringify(list))
      const settings = {
        ...(list.length === 0 ? { BINNACLE_ENGINE: 'nautilus' } : { BINNACLE_ENGINES: file }),
        BINNACLE_NAUTILUS_PYTHON: python,
      }
      const server = await startOurServer(settings, list[0]?.kind !== 'embedded')
      await use(server)
      await server.stop()
      await rm(folder, { recursive: true })
    },
    { timeout: 600_000 },
  ],
  baseURL: async ({ server }, use) => use(server.origin),
  watch: [
    ({ context, server }, use) =>
      watchTest(context, { origins: [server.origin], isKnownFailure: () => false }, use),
    { auto: true },
  ],
})

/** The interpreter that has NautilusTrader; without one the journey is skipped and says why. */
export async function requirePython(testInfo: TestInfo): Promise<string> {
  const python = await findPython()
  if (python !== undefined) return python
  const reason = 'NautilusTrader is not installed; `npm test` installs it where Python 3.11 to 3.13 is'
  if (!process.env.BINNACLE_REQUIRE_NAUTILUS) {
    console.log(`SKIPPED '${testInfo.title}': ${reason}`)
    testInfo.skip(true, reason)
  }
  throw new Error(reason)
}

/** The interpreter that the step `nautilus` of `npm test` installs; an installation in progress is waited for. */
async function findPython(): Promise<string | undefined> {
  const { BINNACLE_NAUTILUS_PYTHON: given } = process.env
  if (given) return given
  const pins = readFileSync(join(ROOT, 'packages/nautilus/requirements.txt'))
  const name = `python-${createHash('sha256').update(pins).digest('hex').slice(0, 12)}`
  const environment = join(ROOT, '.cache/nautilus', name)
  if (!existsSync(environment)) return undefined
  const isComplete = () => existsSync(join(environment, 'installed'))
  await expect
    .poll(isComplete, { timeout: INSTALL_MS })
    .toBe(true)
    .catch(() => {})
  return isComplete() ? join(environment, 'bin/python') : undefined
}

export { expect }
