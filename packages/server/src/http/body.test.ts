import { type NewSetting, settings } from '@binnacle/contract'
import { afterAllTests } from '@binnacle/stores/testkit'
import { beforeAll, expect, test } from 'vitest'
import { type RawReply, requestLines, sendRaw } from '#testkit/raw-request.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { createHttpApp } from './app.ts'
import { openListener } from './listener.ts'
import { mount } from './mount.ts'
import { createRequestGuard } from './request-guard.ts'

const MIB = 1024 * 1024
const SETTING: NewSetting = { key: 'k', value: 'v', description: 'd', category: 'general' }

let port: number
const added: NewSetting[] = []

const atEnd = afterAllTests()
beforeAll(async () => {
  const app = createHttpApp({ logger: silentLog })
  mount(app, settings.add, ({ body }) => {
    added.push(body)
    return body
  })
  mount(app, settings.remove, () => ({ message: 'gone' }))
  const guard = createRequestGuard({ allowedHosts: [], corsOrigins: [] })
  const listener = await openListener({ app, guard, addresses: ['127.0.0.1'], port: 0 })
  port = listener.port
  atEnd(() => listener.close(0))
})

test.each([
  ['application/json'],
  ['application/json; charset=utf-8'],
  ['application/json;charset="UTF-8"; a=b'],
  ['Application/JSON'],
])('a JSON body as %s is read', async (type) => {
  expect((await post(type, JSON.stringify(SETTING))).status).toBe(201)
  expect(added.at(-1)).toEqual(SETTING)
})

test.each([
  ['text/plain', JSON.stringify(SETTING)],
  ['text/plain; charset=utf-8', JSON.stringify(SETTING)],
  ['text/plain; application/json', JSON.stringify(SETTING)],
  ['application/x-www-form-urlencoded', 'key=k&value=v&description=d&category=general'],
  [
    'multipart/form-data; boundary=x',
    '--x\\r\\nContent-Disposition: form-data; name="key"\\r\\n\\r\\nk\\r\\n--x--',
  ],
  ['application/jsonp', JSON.stringify(SETTING)],
  ['application/xml', '<key>k</key>'],
  [undefined, JSON.stringify(SETTING)],
])('a body as %s, which any page may send, is refused and not read', async (type, body) => {
  const before = added.length
  expectProblem(await post(type, body), 415, 'request.content-type')
  expect(added).toHaveLength(before)
})

test.each([
  ['Content-Encoding: gzip', 'without Content-Encoding'],
  ['Content-Encoding: br, identity', 'without Content-Encoding'],
  ['Content-Type: application/json; charset=utf-16', 'must be UTF-8'],
  ['Content-Type: application/json;Charset = "iso-8859-1"', 'must be UTF-8'],
])('[CALL-560] a JSON body with %s is refused with what to send', async (header, advice) => {
  const before = added.length
  const type = header.startsWith('Content-Type') ? [] : ['Content-Type: application/json']
  const headers = ['Host: localhost', header, ...type]
  const start = 'POST /api/admin/settings HTTP/1.1'
  const reply = await sendRaw(port, requestLines(start, headers, JSON.stringify(SETTING)))
  expectProblem(reply, 415, 'request.content-type')
  expect(JSON.parse(reply.body).detail).toContain(advice)
  expect(added).toHaveLength(before)
})

test('[CALL-560] a JSON body with Content-Encoding: identity is read', async () => {
  const headers = ['Host: localhost', 'Content-Type: application/json', 'Content-Encoding: Identity']
  const start = 'POST /api/admin/settings HTTP/1.1'
  expect((await sendRaw(port, requestLines(start, headers, JSON.stringify(SETTING)))).status).toBe(201)
})

// Three bytes of a character of four become one of three, so that lengths alone show nothing.
test.each([[[0xff]], [[0xc3, 0x28]], [[0xf0, 0x9f, 0x98]], [[0xed, 0xa0, 0x80]]])(
  '[CALL-561] a JSON body with the bytes %j, which are not UTF-8, is refused',
  async (bytes) => {
    const before = added.length
    const [start = '', end = ''] = JSON.stringify(SETTING).split('"v"')
    const body = Buffer.concat([Buffer.from(`${start}"`), Buffer.from(bytes), Buffer.from(`"${end}`)])
    const url = `http://127.0.0.1:${port}/api/admin/settings`
    const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({
      code: 'request.malformed',
      detail: 'The request body is not valid UTF-8. Encode it as UTF-8 and send it again.',
    })
    expect(added).toHaveLength(before)
  },
)

test('[CALL-561] a JSON body that contains U+FFFD itself is read', async () => {
  const setting = { ...SETTING, value: 'a\ufffdb' }
  expect((await post('application/json', JSON.stringify(setting))).status).toBe(201)
  expect(added.at(-1)).toEqual(setting)
})

test('a deeply nested body is refused before it is parsed', async () => {
  const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
  expectProblem(await post('application/json', nested(65)), 400, 'request.malformed')
  expectProblem(await post('application/json', nested(100_000)), 400, 'request.malformed')
  expectProblem(await post('application/json', nested(64)), 422, 'request.invalid')
})

test('a body of more than 1 MiB is refused, by Content-Length or by counting', async () => {
  const big = JSON.stringify({ ...SETTING, value: 'x'.repeat(MIB) })
  expectProblem(await post('application/json', big), 413, 'request.too-large')
  const head = ['POST /api/admin/settings HTTP/1.1', 'Host: localhost', 'Content-Type: application/json']
  const chunk = [big.length.toString(16), big, '0', '', '']
  const reply = await sendRaw(port, [
    ...head,
    'Transfer-Encoding: chunked',
    'Connection: close',
    '',
    ...chunk,
  ])
  expectProblem(reply, 413, 'request.too-large')
})

test('a body of nearly 1 MiB is read', async () => {
  const body = `${JSON.stringify(SETTING)}${' '.repeat(MIB - 200)}`
  expect((await post('application/json', body)).status).toBe(201)
})

test.each([
  ['{"key":', 'cut off'],
  ['not json', 'no JSON'],
  ['{"__proto__":{"isAdmin":true}}', 'poisonous'],
])('the body %s is refused as malformed: %s', async (body) => {
  expectProblem(await post('application/json', body), 400, 'request.malformed')
})

test('an empty body counts as no body, with or without a content type', async () => {
  const remove = 'DELETE /api/admin/settings/k HTTP/1.1'
  for (const type of [[], ['Content-Type: application/json']]) {
    const headers = ['Host: localhost', ...type, 'Content-Length: 0']
    expect((await sendRaw(port, requestLines(remove, headers))).status).toBe(200)
  }
})

test.each([
  [
    'headers beyond 16 KiB',
    ['GET / HTTP/1.1', 'Host: localhost', `X-Long: ${'x'.repeat(20_000)}`, '', ''],
    431,
    'request.headers-too-large',
  ],
  ['something that is not HTTP', ['hello', '', ''], 400, 'request.malformed'],
  [
    'two lengths',
    ['POST / HTTP/1.1', 'Host: localhost', 'Content-Length: 1', 'Content-Length: 2', '', 'x'],
    400,
    'request.malformed',
  ],
  [
    'a length and chunks',
    ['POST / HTTP/1.1', 'Host: localhost', 'Content-Length: 1', 'Transfer-Encoding: chunked', '', 'x'],
    400,
    'request.malformed',
  ],
])('%s is answered with a problem', async (_what, lines, status, code) => {
  expectProblem(await sendRaw(port, lines), status, code)
})

function post(type: string | undefined, body: string): Promise<RawReply> {
  const headers = ['Host: localhost', ...(type === undefined ? [] : [`Content-Type: ${type}`])]
  return sendRaw(port, requestLines('POST /api/admin/settings HTTP/1.1', headers, body))
}

function expectProblem(reply: RawReply, status: number, code: string): void {
  expect(reply.status, reply.head).toBe(status)
  expect(reply.head).toMatch(/content-type: application\/problem\+json/i)
  expect(JSON.parse(reply.body)).toMatchObject({ status, code, request_id: expect.any(String) })
}
