import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nodeOf, ROOT } from '../launch/project.mjs'
import { temporaryFolder } from './temporary-folder.ts'

const SERVER = `
import { appendFileSync } from 'node:fs'
const holdsTheProcess = setInterval(() => {}, 1000)
process.on('SIGTERM', () => clearInterval(holdsTheProcess))
process.on('exit', () => appendFileSync(process.env.BINNACLE_DATA + '.log', 'closed\\n'))
console.log('up ' + process.pid)
`

const VITE = `
import { mkdirSync, writeFileSync } from 'node:fs'
mkdirSync('packages/web/dist', { recursive: true })
writeFileSync('packages/web/dist/index.html', '<!doctype html>')
`

/** A project small enough to start in a test: the real launcher with a toy server, Vite and lock file. */
export function smallProject(files: Record<string, string> = {}): string {
  const root = temporaryFolder({
    'package.json': '{ "type": "module" }',
    'package-lock.json': '{ "packages": { "": {} } }',
    'node_modules/.package-lock.json': '{ "packages": {} }',
    'node_modules/vite/package.json': '{ "type": "module" }',
    'node_modules/vite/bin/vite.js': VITE,
    'packages/web/src/main.tsx': '',
    'packages/server/src/main.ts': SERVER,
    ...files,
  })
  for (const path of ['tools/start.mjs', 'tools/launch'])
    cpSync(join(ROOT, path), join(root, path), { recursive: true })
  mkdirSync(dirname(nodeOf(root)), { recursive: true })
  symlinkSync(nodeOf(ROOT), nodeOf(root))
  return root
}
