import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OurServer, startOurServer } from '#our-server.ts'
import { test as base } from '#server-fixtures.ts'

const ENGINES = [
  { name: 'desk', kind: 'embedded' },
  { name: 'tokyo', kind: 'embedded', trader_id: 'DESK-002' },
]

/** Our server with two embedded engines. */
export const test = base.extend<Record<never, never>, { server: OurServer }>({
  server: [
    // Playwright reads the needed fixtures from the pattern, which must not be empty for the linter.
    async ({ browserName: _ }, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'binnacle-engines-'))
      const file = join(folder, 'engines.json')
      await writeFile(file, JSON.stringify(ENGINES))
      const server = await startOurServer({ BINNACLE_ENGINES: file })
      await use(server)
      await server.stop()
      await rm(folder, { recursive: true })
    },
    { scope: 'worker' },
  ],
})

export { expect } from '#server-fixtures.ts'
