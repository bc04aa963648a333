import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseConfig } from '@binnacle/server'
import { expect, test } from 'vitest'
import { ROOT } from '../launch/project.mjs'
import { printConfiguration } from './print-configuration.ts'

test('the configuration reference matches the schema', () => {
  expect(readFileSync(join(ROOT, 'docs/guide/configuration.md'), 'utf8')).toBe(printConfiguration())
})

test('every variable has a row with its default, its values and its meaning', () => {
  const rows = printConfiguration().match(/^\| `BINNACLE_\w+` \|[^|]+\|[^|]+\|[^|]+\|$/gm)
  expect(rows).toHaveLength(27)
  expect(rows).toContain(
    '| `BINNACLE_ADMIN_PORT` | `8001` | a port number from 0 to 65535 (0 takes any free port) | Port of the admin database API. |',
  )
  expect(rows?.join()).toContain('| `BINNACLE_POSTGRES_URL` | not set |')
})

test('the reference holds no path of this machine', () => {
  expect(printConfiguration()).not.toContain(ROOT)
  expect(printConfiguration()).not.toContain(parseConfig({}).dataFolder)
})
