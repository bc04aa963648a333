import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { temporaryFolder, until } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { parseConfig } from '#config/config.ts'
import { StartRefusal } from '#config/start-refusal.ts'
import { type Program, startProgram } from '#testkit/program.ts'
import { runningServer, testEnvironment } from '#testkit/running-server.ts'
import { startServer } from './server.ts'

test('[CALL-73] a start logs its settings and its address, and no warning, and its threads are known; SIGINT closes it and ends it with code 0', async () => {
  const env = testEnvironment()
  const program = startProgram(env)
  const port = await program.isUp()
  const lines = program.stdout().trim().split('\n')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toContain(`BINNACLE_DATA=${env.BINNACLE_DATA}`)
  expect(lines[1]).toBe(`Binnacle is at http://localhost:${port}`)
  expect((await fetch(`http://localhost:${port}/health`)).status).toBe(200)
  const page = await fetch(`http://localhost:${port}/`)
  expect(await page.text()).toContain('<title>Binnacle</title>')
  const memory = await fetch(`http://localhost:${port}/api/system/memory`)
  // The engine's thread is older than the reader of the memory.
  expect(await memory.json()).toMatchObject({
    threads: expect.arrayContaining(
      ['api', 'engine', 'checkpoints'].map((name) => expect.objectContaining({ name })),
    ),
  })
  program.child.kill('SIGINT')
  expect(await program.ended).toBe(0)
  expect(program.stderr()).toBe('')
  expect(logOf(env)).toMatch(/"event":"server.started".*"event":"server.stopped"/s)
})

test('at SIGTERM a request in flight is answered before the server ends with code 0', async () => {
  const program = startProgram(testEnvironment())
  const port = await program.isUp()
  const { socket, finish } = await halfARequest(port)
  const reply = text(socket)
  program.child.kill('SIGTERM')
  await refusesConnections(port)
  finish()
  expect(await reply).toMatch(/^HTTP\/1.1 422 /)
  expect(await program.ended).toBe(0)
})

test('settings survive a restart, and the second start seeds nothing', async () => {
  const env = testEnvironment()
  const first = await startServer(parseConfig(env))
  const url = `http://localhost:${first.ports.trading}/api/admin/settings/cache_ttl?value=60`
  expect((await fetch(url, { method: 'PUT' })).status).toBe(200)
  await first.close(0)
  const second = await runningServer(env)
  const reply = await fetch(`http://localhost:${second.ports.trading}/api/admin/settings`)
  expect(await reply.json()).toMatchObject({ settings: { length: 9, 8: { key: 'cache_ttl', value: '60' } } })
})

test('[START-7] an open data folder is closed to others, with a line in the log, and a second server on it is refused; after a kill -9 of the first it starts at once, and a second signal ends it at once', async () => {
  const env = testEnvironment()
  const data = env.BINNACLE_DATA ?? ''
  mkdirSync(data)
  chmodSync(data, 0o755)
  const first = startProgram(env)
  await first.isUp()
  expect(statSync(data).mode & 0o777).toBe(0o700)
  for (const name of readdirSync(data))
    expect([name, statSync(join(data, name)).mode & 0o077]).toEqual([name, 0])
  expect(logOf(env)).toContain(`1 files and folders in ${data} were readable by others`)
  await expectRefusal(
    startProgram(env),
    `Another Binnacle server is already using the data folder ${env.BINNACLE_DATA}. Stop it, or set BINNACLE_DATA to another folder.`,
  )
  first.child.kill('SIGKILL')
  expect(await first.ended).toBe('SIGKILL')
  const third = startProgram(env)
  const port = await third.isUp()
  const { socket } = await halfARequest(port)
  socket.on('error', () => {})
  third.child.kill('SIGTERM')
  await refusesConnections(port)
  third.child.kill('SIGTERM')
  expect(await third.ended).toBe(1)
})

test.each([
  ['trading', 'BINNACLE_TRADING_PORT', '127.0.0.1'],
  ['database', 'BINNACLE_DATABASE_PORT', '::1'],
])(
  'a taken port for the %s API is refused by its variable %s, also when only %s is taken',
  async (name, variable, address) => {
    const port = await takenPort(address)
    await expectRefusal(
      startProgram({ ...testEnvironment(), [variable]: String(port) }),
      `Port ${port} for the ${name} API is already in use by another program. Choose another with ${variable}, or free this one.`,
    )
  },
)

test('an unwritable data folder is refused', async () => {
  const path = join(temporaryFolder({ file: '' }), 'file', 'data')
  await expectStartRefused(
    { BINNACLE_DATA: path },
    `The data folder ${path} cannot be written to (ENOTDIR). Correct its permissions, or set BINNACLE_DATA to another folder.`,
  )
})

test('[OPS-5] a data folder of a newer version is refused', async () => {
  const path = temporaryFolder({ 'format.json': '{"format":99}' })
  await expectStartRefused(
    { BINNACLE_DATA: path },
    `The data folder ${path} was written by a newer version of Binnacle (format 99; this one knows 1). Start that version, or set BINNACLE_DATA to another folder.`,
  )
})

test('[START-4] a missing admin store of version 1.0.0 is refused, and no new one is made', async () => {
  const path = temporaryFolder({ 'format.json': '{"format":1}', 'journal.sqlite': '' })
  await expectStartRefused(
    { BINNACLE_DATA: path },
    `${join(path, 'admin.sqlite')} is missing, although earlier starts have used it. Put the file back, restore it with 'npm run restore', or set BINNACLE_DATA to another folder.`,
  )
  expect(existsSync(join(path, 'admin.sqlite'))).toBe(false)
})

test('[START-4] a store that was there at an earlier start is refused when it is missing', async () => {
  const env = testEnvironment()
  await (await startServer(parseConfig(env))).close(0)
  const file = join(env.BINNACLE_DATA ?? '', 'journal.sqlite')
  rmSync(file)
  await expect(startServer(parseConfig(env))).rejects.toThrow(`${file} is missing`)
})

test('[START-140] an emptied admin store is refused at every start, and no new one is made', async () => {
  const env = testEnvironment()
  await (await startServer(parseConfig(env))).close(0)
  const file = join(env.BINNACLE_DATA ?? '', 'admin.sqlite')
  writeFileSync(file, '')
  for (const _ of ['first', 'second']) {
    await expect(startServer(parseConfig(env))).rejects.toThrow(`${file} is empty, although`)
  }
  expect(readFileSync(file).length).toBe(0)
})

test('a missing site is refused, unless none is wanted', async () => {
  const path = temporaryFolder()
  await expectStartRefused(
    { BINNACLE_SITE: path },
    `The site is not built: there is no index.html in ${path}. Run 'npm run build', or set BINNACLE_SITE to the folder of a built site.`,
  )
  const { ports } = await runningServer({ BINNACLE_SITE: 'none' })
  expect((await fetch(`http://localhost:${ports.trading}/health`)).status).toBe(200)
  expect((await fetch(`http://localhost:${ports.trading}/`)).status).toBe(404)
})

test('a host beyond loopback is refused', async () => {
  await expectStartRefused(
    { BINNACLE_HOST: '0.0.0.0' },
    "BINNACLE_HOST is '0.0.0.0', but it must be one of the loopback addresses localhost, 127.0.0.1 and ::1: there is no sign-in yet, so Binnacle must not be reachable from other machines.",
  )
})

/** In this process; that a refusal ends the program with its sentence is tested with the data folder and the ports. */
async function expectStartRefused(env: Record<string, string>, sentence: string): Promise<void> {
  const start = async () => startServer(parseConfig({ ...testEnvironment(), ...env }))
  await expect(start()).rejects.toEqual(new StartRefusal(sentence))
}

async function expectRefusal(program: Program, sentence: string): Promise<void> {
  expect(await program.ended).toBe(1)
  expect(program.stderr()).toBe(`${sentence}\n`)
  expect(program.stdout()).toBe('')
}

/** A request whose head has arrived at the server and whose body has not. */
async function halfARequest(port: number) {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const head = ['POST /api/orders HTTP/1.1', 'Host: localhost', 'Content-Type: application/json']
  socket.write([...head, 'Content-Length: 2', 'Expect: 100-continue', '', ''].join('\r\n'))
  const [chunk] = await once(socket, 'data')
  expect(String(chunk)).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  return { socket, finish: () => socket.write('{}') }
}

async function refusesConnections(port: number): Promise<void> {
  const outcome = () =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.destroy())
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code)).on('close', resolve)
    })
  await until(async () => expect(await outcome()).toBe('ECONNREFUSED'))
}

async function takenPort(address: string): Promise<number> {
  const other = createServer().listen(0, address)
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const bound = other.address()
  return typeof bound === 'object' ? (bound?.port ?? 0) : 0
}

function logOf(env: Record<string, string>): string {
  return readFileSync(join(env.BINNACLE_DATA ?? '', 'logs', 'server.log'), 'utf8')
}
