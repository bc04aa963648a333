import { once } from 'node:events'
import { Agent, createServer, get } from 'node:http'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { until } from '@binnacle/stores/testkit'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { requestLines, sendRaw } from '#testkit/raw-request.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { createHttpApp } from './app.ts'
import { openListener } from './listener.ts'
import { createRequestGuard, type RequestGuardPolicy } from './request-guard.ts'

const CONTENT_POLICY =
  "default-src 'self'; script-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

test.each([
  ['a good one', 'GET /ok HTTP/1.1', 'localhost', 200],
  ['an unknown one', 'GET /api/nothing HTTP/1.1', 'localhost', 404],
  ['a failed one', 'GET /fault HTTP/1.1', 'localhost', 500],
  ['one with a broken address', 'GET /%zz HTTP/1.1', 'localhost', 400],
  ['one refused by the request guard', 'GET /ok HTTP/1.1', 'evil.example', 421],
  ['one that is not HTTP', 'hello', 'localhost', 400],
])('every reply has the security headers: %s', async (_what, start, host, status) => {
  const { port } = await listening()
  const reply = await sendRaw(port, requestLines(start, [`Host: ${host}`]))
  expect(reply.status).toBe(status)
  const lines = reply.head.toLowerCase().split('\r\n')
  expect(lines).toContain(`content-security-policy: ${CONTENT_POLICY}`)
  expect(lines).toContain('x-content-type-options: nosniff')
  expect(lines).toContain('referrer-policy: no-referrer')
  expect(lines).toContain('cross-origin-opener-policy: same-origin')
  expect(lines).toContain('cross-origin-resource-policy: same-origin')
  expect(lines.join()).not.toContain('access-control')
})

test('a configured origin may send preflights, change and read; no other origin gets a CORS header', async () => {
  const { port } = await listening({ policy: { corsOrigins: ['https://console.example'] } })
  const from = (start: string, origin: string) =>
    sendRaw(port, requestLines(start, ['Host: localhost', `Origin: ${origin}`, 'Sec-Fetch-Site: cross-site']))
  const preflight = await from('OPTIONS /ok HTTP/1.1', 'https://console.example')
  expect(preflight.status).toBe(204)
  expect(preflight.head).toMatch(/access-control-allow-origin: https:\/\/console\.example\r\n/)
  expect(preflight.head).toMatch(/access-control-allow-methods: GET, POST, PUT, PATCH, DELETE\r\n/)
  expect(preflight.head).toMatch(
    /access-control-allow-headers: content-type, if-match, idempotency-key, binnacle-engine\r\n/,
  )
  const read = await from('GET /ok HTTP/1.1', 'https://console.example')
  expect(read.status).toBe(200)
  expect(read.head).toMatch(/access-control-allow-origin: https:\/\/console\.example\r\n/)
  expect(read.head).toMatch(/vary: Origin/)
  const foreign = await from('OPTIONS /ok HTTP/1.1', 'https://evil.example')
  expect(foreign.status).toBe(403)
  expect(foreign.head).not.toMatch(/access-control/)
})

test('[CALL-72] of pipelined requests 32 run at a time, others are answered meanwhile, and all in order', async () => {
  const MANY = 200
  let begun = 0
  const held: (() => void)[] = []
  const { port } = await listening({
    addRoutes: (app) =>
      app.get('/held/:nth', async (request) => {
        begun += 1
        await new Promise<void>((resolve) => held.push(resolve))
        return request.params
      }),
  })
  const socket = connect({ host: '127.0.0.1', port })
  onTestFinished(() => void socket.destroy())
  const numbers = Array.from({ length: MANY }, (_, nth) => nth)
  socket.write(numbers.map((nth) => `GET /held/${nth} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''))
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  await until(() => expect(begun).toBeGreaterThanOrEqual(32))
  const other = await sendRaw(port, requestLines('GET /ok HTTP/1.1', ['Host: localhost']))
  expect(other.status).toBe(200)
  expect(begun).toBe(32)
  const answered = () => [...received.matchAll(/\{"nth":"(\d+)"\}/g)].map(([, nth]) => Number(nth))
  await until(() => {
    for (const release of held.splice(0)) release()
    expect(answered()).toHaveLength(MANY)
  })
  expect(answered()).toEqual(numbers)
})

test.each([
  ['the console', 'localhost:PORT', ['Origin: http://localhost:PORT'], 101],
  ['a program that is no browser', 'localhost:PORT', [], 101],
  ['a foreign host', 'evil.example', ['Origin: http://localhost:PORT'], 421],
  ['no host', undefined, [], 421],
  ['a foreign page', 'localhost:PORT', ['Origin: https://evil.example'], 403],
  ['a sandboxed page', 'localhost:PORT', ['Origin: null'], 403],
  ['a neighbour on this machine', 'localhost:PORT', ['Origin: http://localhost:1'], 403],
  ['a page that hides its origin', 'localhost:PORT', ['Sec-Fetch-Site: cross-site'], 403],
])('a WebSocket from %s', async (_who, host, headers, status) => {
  const { port, app } = await listening()
  const upgraded = vi.fn((_request, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'))
  app.server.on('upgrade', upgraded)
  const hostLine = host === undefined ? [] : [`Host: ${host}`]
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
  const lines = ['GET /api/stream HTTP/1.1', ...hostLine, ...headers, ...upgrade, '', '']
  const reply = await sendRaw(
    port,
    lines.map((line) => line.replaceAll('PORT', String(port))),
  )
  expect(reply.status).toBe(status)
  expect(upgraded).toHaveBeenCalledTimes(status === 101 ? 1 : 0)
})

test.each([['h2c'], ['foo'], ['websocket, h2c']])(
  '[STREAM-560] a call with an upgrade to %s is answered as any other, beside a stream',
  async (token) => {
    const { port, app } = await listening()
    app.server.on('upgrade', (_request, socket) => socket.destroy())
    const headers = ['Host: localhost', 'Connection: Upgrade, close', `Upgrade: ${token}`]
    expect((await sendRaw(port, ['GET /ok HTTP/1.1', ...headers, '', ''])).status).toBe(200)
  },
)

test('a free port is the same on both addresses', async () => {
  const { port } = await listening({ addresses: ['127.0.0.1', '::1'] })
  for (const address of ['127.0.0.1', '::1']) {
    expect((await sendRaw(port, requestLines('GET /ok HTTP/1.1', ['Host: localhost']), address)).status).toBe(
      200,
    )
  }
})

test('an address that the machine does not have is skipped, unless it is the first', async () => {
  // Reserved for documentation, so no machine has it.
  const absent = '2001:db8::1'
  const { port } = await listening({ addresses: ['127.0.0.1', absent] })
  expect((await sendRaw(port, requestLines('GET /ok HTTP/1.1', ['Host: localhost']))).status).toBe(200)
  await expect(listening({ addresses: [absent] })).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' })
})

test('a port in use on the second address is refused', async () => {
  const other = createServer().listen(0, '::1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const address = other.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  await expect(listening({ addresses: ['127.0.0.1', '::1'], port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  })
  // Nothing was left open on the first address.
  await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

test('close waits for the request in flight and accepts no other on its connection', async () => {
  const slow = Promise.withResolvers<string>()
  const started = Promise.withResolvers<void>()
  const { port, listener } = await listening({
    addRoutes: (app) =>
      app.get('/slow', () => {
        started.resolve()
        return slow.promise
      }),
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const first = reply(port, '/slow', agent)
  await started.promise
  const closed = listener.close(60_000)
  await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  slow.resolve('done')
  expect(await first).toBe('200 close done')
  await closed
})

test('a request during close is refused with server.closing', async () => {
  const slow = new PassThrough()
  const refusalLogged = Promise.withResolvers<void>()
  const logger = pino({}, { write: (line) => line.includes('server.closing') && refusalLogged.resolve() })
  const { port, listener } = await listening({ logger, addRoutes: (app) => app.get('/slow', () => slow) })
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n')
  slow.write('first part')
  await once(socket, 'readable')
  const closed = listener.close(60_000)
  socket.write('GET /ok HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await refusalLogged.promise
  slow.end('last part')
  expect(await text(socket)).toMatch(
    /200 OK.*first part.*last part.*503 Service Unavailable.*"server.closing"/s,
  )
  await closed
})

test('a connection whose reply began before close ends with that reply', async () => {
  const slow = new PassThrough()
  const { port, listener } = await listening({ addRoutes: (app) => app.get('/slow', () => slow) })
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n')
  slow.write('first part')
  await once(socket, 'readable')
  const closed = listener.close(60_000)
  slow.end('last part')
  expect(await text(socket)).toMatch(/connection: keep-alive.*first part.*last part/is)
  await closed
})

test('close cuts off requests after the grace period', async () => {
  const started = Promise.withResolvers<void>()
  const { port, listener } = await listening({
    addRoutes: (app) =>
      app.get('/endless', () => {
        started.resolve()
        return new Promise(() => {})
      }),
  })
  const cut = expect(reply(port, '/endless')).rejects.toMatchObject({ code: 'ECONNRESET' })
  await started.promise
  await listener.close(1)
  await cut
})

test('[START-130] an app given as a function is created by the first request, once for all that arrive meanwhile', async () => {
  const create = vi.fn(() => {
    const app = createHttpApp({ logger: silentLog })
    app.get('/ok', () => 'ok')
    return app
  })
  const guard = createRequestGuard({ allowedHosts: [], corsOrigins: [] })
  const listener = await openListener({ app: create, guard, addresses: ['127.0.0.1'], port: 0 })
  onTestFinished(() => listener.close(0))
  expect(create).not.toHaveBeenCalled()
  const replies = await Promise.all([1, 2, 3].map(() => reply(listener.port, '/ok')))
  expect(replies.map((each) => each.slice(0, 3))).toEqual(['200', '200', '200'])
  expect(create).toHaveBeenCalledOnce()
})

test('[START-301] an app that cannot be created is answered with a problem, and tried again by the next request', async () => {
  const faults: unknown[] = []
  let fails = true
  const create = () => {
    if (fails) throw new Error('too many open files')
    const app = createHttpApp({ logger: silentLog })
    app.get('/ok', () => 'ok')
    return app
  }
  const guard = createRequestGuard({ allowedHosts: [], corsOrigins: [] })
  const onFault = (fault: unknown) => faults.push(fault)
  const listener = await openListener({ app: create, guard, addresses: ['127.0.0.1'], port: 0, onFault })
  onTestFinished(() => listener.close(0))
  const failed = await sendRaw(listener.port, requestLines('GET /ok HTTP/1.1', ['Host: localhost']))
  expect(failed.status).toBe(500)
  expect(faults.map(String)).toEqual(['Error: too many open files'])
  fails = false
  expect((await reply(listener.port, '/ok')).slice(0, 3)).toBe('200')
})

interface Listening {
  policy?: Partial<RequestGuardPolicy>
  addresses?: string[]
  port?: number
  logger?: FastifyBaseLogger
  addRoutes?: (app: FastifyInstance) => void
}

async function listening({ policy, addresses = ['127.0.0.1'], port = 0, ...options }: Listening = {}) {
  const app = createHttpApp({ logger: options.logger ?? silentLog })
  app.get('/ok', () => 'ok')
  app.get('/fault', () => Promise.reject(new Error('broken inside')))
  options.addRoutes?.(app)
  const guard = createRequestGuard({ allowedHosts: [], corsOrigins: [], ...policy })
  const listener = await openListener({ app, guard, addresses, port })
  onTestFinished(() => listener.close(0))
  return { port: listener.port, app, listener }
}

function reply(port: number, path: string, agent?: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent }, async (response) =>
      resolve(`${response.statusCode} ${response.headers.connection} ${await text(response)}`),
    ).on('error', reject)
  })
}
