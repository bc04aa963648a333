import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeEnvironment, type VariableDescription } from '@binnacle/server'
import { ROOT, Stop } from '../launch/project.mjs'
import { endWithSentence } from '../launch/sentence.mjs'

/** The configuration reference, generated from the schema that reads the environment. */
export function printConfiguration(): string {
  return `${INTRODUCTION}\n\n${TABLE_HEAD}\n${describeEnvironment().map(rowOf).join('\n')}\n\n${SITE_AND_TESTS}\n`
}

const INTRODUCTION = `## Configuration

The server is configured by environment variables. They are read once at the start and printed then, without secrets. An empty variable counts as not set; an invalid value ends the start with one sentence that names the variable. Everything else (limits, strategies, connections, settings, tasks) is changed in the console and stored in the data folder.`

const TABLE_HEAD = `| variable | default | accepts | meaning |
|---|---|---|---|`

const SITE_AND_TESTS = `### The site

These are read when the site is built (\`npm start\` builds it again when they change) and override the addresses that the server offers in \`/config.json\`.

| variable | default | meaning |
|---|---|---|
| \`VITE_TRADING_API_URL\` | the page's own host, port 8000 | Address of the trading API. |
| \`VITE_ADMIN_API_URL\` | the page's own host, port 8001 | Address of the admin database API. |

### Tests

\`npm test\` finds these programs by itself, and installs them with apt-get where it can.

| variable | meaning |
|---|---|
| \`BINNACLE_CHROMIUM\` | Browser for the journeys. |
| \`BINNACLE_POSTGRES_BIN\` | Folder of the PostgreSQL server programs. |
| \`BINNACLE_REDIS_SERVER\` | The \`redis-server\` program. |
| \`BINNACLE_PYTHON\` | Python 3.11 to 3.13, for the NautilusTrader tests and \`npm run nautilus -- setup\`. |
| \`BINNACLE_REQUIRE_NAUTILUS\` | \`1\`: the NautilusTrader tests fail, instead of being skipped, where Python or the pinned packages are missing. |`

function rowOf({ name, standard, accepts, meaning }: VariableDescription): string {
  return `| \`${name}\` | ${standard} | ${accepts} | ${meaning} |`
}

const STALE =
  'docs/guide/configuration.md does not match the configuration schema: run node tools/guide/print-configuration.ts and commit the file.'

if (import.meta.main) {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
  const file = join(ROOT, 'docs/guide/configuration.md')
  await endWithSentence(async () => {
    if (!values.check) return writeFileSync(file, printConfiguration())
    if (readFileSync(file, 'utf8') !== printConfiguration()) throw new Stop(STALE)
  })
}
