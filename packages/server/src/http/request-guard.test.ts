import { settings as calls } from '@binnacle/contract'
import { afterAllTests } from '@binnacle/stores/testkit'
import { beforeAll, expect, test } from 'vitest'
import { type RawReply, requestLines, sendRaw } from '#testkit/raw-request.ts'
import { runningServer, type TestServer } from '#testkit/running-server.ts'

const CHANGE = 'PUT /api/admin/settings/system_name?value=changed HTTP/1.1'

const atEnd = afterAllTests()
let ports: TestServer['ports']
beforeAll(async () => {
  const server = await runningServer({}, atEnd)
  ports = server.ports
})

test.each([
  ['localhost'],
  ['localhost:PORT'],
  ['LOCALHOST:PORT'],
  ['127.0.0.1:PORT'],
  ['[::1]:PORT'],
  ['[::1]'],
  ['[0:0:0:0:0:0:0:1]:PORT'],
])('Host %s is accepted', async (host) => {
  const reply = await ask(ports.trading, 'GET /health HTTP/1.1', [`Host: ${host}`])
  expect(reply.status).toBe(200)
})

test.each([
  ['a foreign name', ['Host: evil.example']],
  ['a foreign name with our port', ['Host: evil.example:PORT']],
  ['a name that begins like ours', ['Host: localhost.evil.example:PORT']],
  ['a name that ends like ours', ['Host: evil-localhost:PORT']],
  ['a trailing dot', ['Host: localhost.:PORT']],
  ['the port of another program', ['Host: localhost:1']],
  ['another loopback address', ['Host: 127.0.0.2:PORT']],
  ['every address', ['Host: 0.0.0.0:PORT']],
  ['an IPv4 address inside IPv6', ['Host: [::ffff:127.0.0.1]:PORT']],
  ['a foreign IPv6 address', ['Host: [2001:db8::1]:PORT']],
  ['a zone', ['Host: [::1%25lo]:PORT']],
  ['user information', ['Host: localhost@evil.example']],
  ['our name as user information', ['Host: evil.example@localhost:PORT']],
  ['two names in one header', ['Host: localhost:PORT, evil.example']],
  ['an empty header', ['Host:']],
  ['no header', []],
  ['two headers, ours first', ['Host: localhost:PORT', 'Host: evil.example']],
  ['two headers, ours last', ['Host: evil.example', 'Host: localhost:PORT']],
  ['the same header twice', ['Host: localhost:PORT', 'Host: localhost:PORT']],
])('a Host with %s is refused for every call', async (_what, headers) => {
  for (const start of ['GET /health HTTP/1.1', 'GET / HTTP/1.1', 'GET /nowhere HTTP/1.1', CHANGE]) {
    expectProblem(await ask(ports.trading, start, headers), 421, 'door.host')
  }
})

test('HTTP/1.0 is refused without Host and served with a valid one', async () => {
  expectProblem(await ask(ports.trading, 'GET /health HTTP/1.0', []), 421, 'door.host')
  expect((await ask(ports.trading, 'GET /health HTTP/1.0', ['Host: localhost'])).status).toBe(200)
})

test('the host of an absolute request target is checked besides the Host header', async () => {
  const from = (target: string, host: string) =>
    ask(ports.trading, `GET ${target} HTTP/1.1`, [`Host: ${host}`])
  expectProblem(await from('http://evil.example/health', 'localhost:PORT'), 421, 'door.host')
  expectProblem(await from('http://evil.example@localhost/health', 'localhost:PORT'), 421, 'door.host')
  expectProblem(await from('ftp://localhost/health', 'localhost:PORT'), 421, 'door.host')
  expectProblem(await from('http://localhost/health', 'evil.example'), 421, 'door.host')
  expect((await from('http://localhost:PORT/health', 'localhost:PORT')).status).toBe(200)
})

test('all three listeners use the request guard, on ::1 and on 127.0.0.1', async () => {
  for (const port of [ports.trading, ports.admin, ports.database]) {
    for (const address of ['127.0.0.1', '::1']) {
      const lines = (host: string) => requestLines('GET /api/health HTTP/1.1', [`Host: ${host}`])
      expect((await sendRaw(port, lines(`localhost:${port}`), address)).status).toBe(200)
      expectProblem(await sendRaw(port, lines('evil.example'), address), 421, 'door.host')
    }
  }
})

test('a listener refuses the port of another in Host', async () => {
  const reply = await ask(ports.admin, 'GET /api/health HTTP/1.1', [`Host: localhost:${ports.trading}`])
  expectProblem(reply, 421, 'door.host')
})

test.each([
  ['another site', ['Origin: https://evil.example']],
  ['another site that says it is the same', ['Origin: https://evil.example', 'Sec-Fetch-Site: same-origin']],
  ['another program on this machine', ['Origin: http://localhost:1', 'Sec-Fetch-Site: same-site']],
  ['port 80 of this machine', ['Origin: http://localhost']],
  ['our address by another scheme', ['Origin: https://localhost:PORT']],
  ['a name that begins like ours', ['Origin: http://localhost.evil.example:PORT']],
  ['our address with user information', ['Origin: http://me@localhost:PORT']],
  ['a file or a sandbox', ['Origin: null']],
  ['an empty origin', ['Origin:']],
  ['two origins', ['Origin: http://localhost:PORT', 'Origin: https://evil.example']],
  ['another site that hides its origin', ['Sec-Fetch-Site: cross-site']],
  ['a neighbour that hides its origin', ['Sec-Fetch-Site: same-site']],
  ['a site that stays unsaid', ['Sec-Fetch-Site: anything']],
  ['two answers about the site', ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site']],
  ['another site in our name', ['Origin: http://localhost:PORT', 'Sec-Fetch-Site: cross-site']],
])('a change from %s is refused and changes nothing', async (_what, headers) => {
  await setCacheTtl('before')
  const reply = await ask(ports.trading, CHANGE, ['Host: localhost:PORT', ...headers])
  expectProblem(reply, 403, 'door.origin')
  expect(await cacheTtl()).toBe('before')
})

test.each([
  ['the console', ['Origin: http://localhost:PORT', 'Sec-Fetch-Site: same-origin']],
  ['the console by address', ['Origin: http://127.0.0.1:PORT']],
  ['the console by IPv6 address', ['Origin: http://[::1]:PORT']],
  ['a program that is no browser', []],
  ['the person at the address bar', ['Sec-Fetch-Site: none']],
])('a change from %s is accepted', async (_what, headers) => {
  await setCacheTtl('before')
  const reply = await ask(ports.trading, CHANGE, ['Host: localhost:PORT', ...headers])
  expect(reply.status).toBe(200)
  expect(await cacheTtl()).toBe('changed')
})

test('a page of one listener may change state through another (same site)', async () => {
  const headers = ['Host: localhost:PORT', `Origin: http://localhost:${ports.trading}`]
  const reply = await ask(ports.admin, CHANGE, [...headers, 'Sec-Fetch-Site: same-site'])
  expect(reply.status).toBe(200)
  expect(reply.head).not.toMatch(/access-control/i)
})

test('a link from another site opens the page, while scripts of that site may not read', async () => {
  const from = (headers: string[]) =>
    ask(ports.trading, 'GET / HTTP/1.1', ['Host: localhost:PORT', ...headers])
  expect((await from(['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate'])).status).toBe(200)
  expectProblem(await from(['Origin: https://evil.example']), 403, 'door.origin')
})

const FROM_AFAR = 'Sec-Fetch-Site: cross-site'
const LINK = ['Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document']

test.each([
  ['a picture', '/api/orders', [FROM_AFAR, 'Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: image']],
  ['a picture that says nothing more', '/api/orders', [FROM_AFAR]],
  ['a frame', '/api/orders', [FROM_AFAR, 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: iframe']],
  ['a frame around the console', '/', [FROM_AFAR, 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: iframe']],
  ['a link', '/api/orders', [FROM_AFAR, ...LINK]],
  ['a link to a path in code', '/%61pi/orders', [FROM_AFAR, ...LINK]],
  ['a link to an absolute target', 'http://localhost:PORT/api/orders?limit=1', [FROM_AFAR, ...LINK]],
  ['a page that says two things', '/api/orders', ['Sec-Fetch-Site: same-origin', FROM_AFAR]],
])('%s of another site cannot read %s, on any listener', async (_what, target, headers) => {
  for (const port of [ports.trading, ports.admin, ports.database]) {
    for (const method of ['GET', 'HEAD']) {
      const reply = await ask(port, `${method} ${target} HTTP/1.1`, ['Host: localhost:PORT', ...headers])
      expect(reply.status, reply.head).toBe(403)
      if (method === 'GET') expectProblem(reply, 403, 'door.origin')
    }
  }
})

test.each([['same-origin'], ['same-site'], ['none']])(
  'a read with Sec-Fetch-Site %s is served',
  async (site) => {
    const reply = await ask(ports.trading, 'GET /api/orders HTTP/1.1', [
      'Host: localhost:PORT',
      `Sec-Fetch-Site: ${site}`,
    ])
    expect(reply.status).toBe(200)
  },
)

test('a configured origin may read cross-site', async () => {
  const server = await runningServer({ BINNACLE_CORS_ORIGINS: 'https://desk.example' })
  const status = async (...headers: string[]) =>
    (await ask(server.ports.trading, 'GET /api/orders HTTP/1.1', ['Host: localhost', FROM_AFAR, ...headers]))
      .status
  expect(await status('Origin: https://desk.example')).toBe(200)
  expect(await status('Origin: https://other.example')).toBe(403)
  expect(await status()).toBe(403)
})

test('a configured host is accepted with its own port or the port of the listener', async () => {
  const server = await runningServer({ BINNACLE_ALLOWED_HOSTS: 'console.example,desk.example:8443' })
  const status = async (...headers: string[]) => (await ask(server.ports.trading, CHANGE, headers)).status
  expect(await status('Host: console.example')).toBe(200)
  expect(await status('Host: console.example:PORT')).toBe(200)
  expect(await status('Host: console.example:8443')).toBe(421)
  expect(await status('Host: desk.example:8443')).toBe(200)
  expect(await status('Host: desk.example')).toBe(421)
  expect(await status('Host: console.example', 'Origin: https://console.example')).toBe(200)
  expect(await status('Host: console.example', 'Origin: https://desk.example')).toBe(403)
})

async function ask(port: number, start: string, headers: string[]): Promise<RawReply> {
  const lines = requestLines(start, headers)
  return sendRaw(
    port,
    lines.map((line) => line.replaceAll('PORT', String(port))),
  )
}

function expectProblem(reply: RawReply, status: number, code: string): void {
  expect(reply.status, reply.head).toBe(status)
  expect(reply.head).toMatch(/content-type: application\/problem\+json/i)
  expect(JSON.parse(reply.body)).toMatchObject({ status, code, request_id: expect.any(String) })
}

async function setCacheTtl(value: string): Promise<void> {
  const change = `PUT /api/admin/settings/system_name?value=${value} HTTP/1.1`
  expect((await ask(ports.admin, change, ['Host: localhost'])).status).toBe(200)
}

async function cacheTtl(): Promise<string> {
  const reply = await fetch(`http://localhost:${ports.admin}/api/admin/settings`)
  const { settings } = calls.list.reply.parse(await reply.json())
  return settings.find(({ key }) => key === 'system_name')?.value ?? 'none'
}
