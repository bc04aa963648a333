import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import { CHILD_SOURCES } from './custom-child.ts'
import { HOSTED_SOURCES } from './hosted-backtest.ts'
import { nodeArguments } from './sealed-process.ts'

/** Everything that a module could try if it got past the runner: the process itself still refuses. */
const ATTEMPTS = `
import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { lookup, resolve4 } from 'node:dns/promises'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { open } from 'node:inspector'
import { connect, createServer } from 'node:net'
import { Worker } from 'node:worker_threads'

const [port, folder] = process.argv.slice(2)
const failing = (emitter) => new Promise((resolve, reject) => emitter.on('error', reject).on('connect', resolve).on('listening', resolve))
const attempts = {
  fetch: () => fetch('http://127.0.0.1:' + port),
  connect: () => failing(connect(Number(port), '127.0.0.1')),
  listen: () => failing(createServer().listen(0)),
  datagram: () => failing(createSocket('udp4').bind(0)),
  lookup: () => lookup('example.org'),
  resolve: () => resolve4('example.org'),
  readPasswords: () => readFileSync('/etc/passwd'),
  readFolderAbove: () => readdirSync(folder + '/..'),
  write: () => writeFileSync(folder + '/written', 'x'),
  spawn: () => failing(spawn('true')),
  worker: () => new Worker('1', { eval: true }),
  inspect: () => open(0),
  binding: () => process.binding('fs'),
  addon: () => process.dlopen({ exports: {} }, folder + '/addon.node'),
  readOwn: () => readFileSync(folder + '/own.json', 'utf8'),
}
for (const [name, attempt] of Object.entries(attempts)) {
  try { console.log(name, 'ok', await attempt()) }
  catch (fault) { console.log(name, fault.code ?? fault.cause?.code) }
}
process.exit()
`

test.each([
  ['', [CHILD_SOURCES]],
  [' in a backtest', HOSTED_SOURCES],
])(
  '[CUST-4] [CUST-17] the process of a module%s reads its own folder and can do nothing else',
  async (_where, sources) => {
    const folder = temporaryFolder({ 'attempts.mjs': ATTEMPTS, 'own.json': '{}' })
    let calls = 0
    const server = createServer(() => calls++).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...nodeArguments([...sources, folder], 64), join(folder, 'attempts.mjs'), port, folder],
      { env: {} },
    )
    const refused = ['fetch', 'connect', 'listen', 'datagram', 'lookup', 'resolve', 'readPasswords']
    const more = ['readFolderAbove', 'write', 'spawn', 'worker', 'inspect', 'binding']
    expect(stdout.trim().split('\n')).toEqual([
      ...[...refused, ...more].map((name) => `${name} ERR_ACCESS_DENIED`),
      'addon ERR_DLOPEN_DISABLED',
      'readOwn ok {}',
    ])
    expect(calls).toBe(0)
    expect(existsSync(join(folder, 'written'))).toBe(false)
  },
)
