import { createServer } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { openTarget } from '#testkit/target.ts'
import { createOutbound, type OutboundOptions } from './outbound.ts'

const MIB = 1024 * 1024

describe('a call', () => {
  test('returns status, type, size and the body up to the limit', async () => {
    const target = await openTarget((response) => {
      response.writeHead(201, { 'content-type': 'text/plain' }).end('hello')
    })
    const outcome = await send({ url: `${target.url}/a%20b?c=d`, headers: { 'X-Desk': 'é' } })
    expect(outcome).toMatchObject({
      ok: true,
      status: 201,
      contentType: 'text/plain',
      sizeBytes: 5,
      isCut: false,
      body: Buffer.from('hello'),
    })
    expect(target.seen).toEqual([
      {
        method: 'GET',
        url: '/a%20b?c=d',
        body: '',
        headers: {
          host: `127.0.0.1:${target.port}`,
          'user-agent': 'Binnacle',
          accept: '*/*',
          'accept-encoding': 'identity',
          connection: 'close',
          'x-desk': 'é',
        },
      },
    ])
  })

  test('sends a body with its length', async () => {
    const target = await openTarget()
    await send({ url: target.url, method: 'POST', body: '{"a":"é"}' })
    expect(target.seen[0]).toMatchObject({
      method: 'POST',
      body: '{"a":"é"}',
      headers: { 'content-length': '10' },
    })
  })

  test('tries all addresses of a name', async () => {
    const target = await openTarget()
    const both = [
      { address: '::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ]
    const outcome = await send({ url: `http://localhost:${target.port}/` }, { resolve: async () => both })
    expect(outcome).toMatchObject({ ok: true, status: 200 })
    expect(target.seen[0]?.headers.host).toBe(`localhost:${target.port}`)
  })

  test.each([301, 302, 303, 307, 308])('does not follow redirect %s', async (status) => {
    const elsewhere = await openTarget()
    const target = await openTarget((response) => {
      response.writeHead(status, { location: `${elsewhere.url}/api/admin/users` }).end()
    })
    expect(await send({ url: target.url })).toMatchObject({ ok: true, status })
    expect(elsewhere.connections()).toBe(0)
  })
})

describe('a name', () => {
  test('is resolved once; a later change of its address is not used', async () => {
    const first = await openTarget()
    const second = await openTarget(undefined, { host: '127.0.0.2', port: first.port })
    const answers = ['127.0.0.1', '127.0.0.2', '169.254.169.254']
    let lookups = 0
    const resolve = async () => {
      lookups += 1
      return [{ address: answers[lookups - 1] ?? '', family: 4 }]
    }
    const options = { resolve, allowedHosts: [{ name: 'feed.example', port: undefined }] }
    expect(await send({ url: `http://feed.example:${first.port}/` }, options)).toMatchObject({ ok: true })
    expect([lookups, first.seen.length, second.connections()]).toEqual([1, 1, 0])
  })

  test('is refused if one of its addresses is forbidden, even if allowed, and nothing is sent', async () => {
    const target = await openTarget()
    const addresses = [
      { address: '127.0.0.1', family: 4 },
      { address: '169.254.169.254', family: 4 },
    ]
    const options = {
      resolve: async () => addresses,
      allowedHosts: [{ name: 'feed.example', port: undefined }],
    }
    expect(await sentenceFor(`http://feed.example:${target.port}/`, options)).toBe(
      'feed.example resolves to 169.254.169.254, which is a link-local, metadata or special address. Such addresses are never called.',
    )
    expect(target.connections()).toBe(0)
  })

  test.each([
    ['http://feed.example/', '10.0.0.1'],
    ['http://localhost/', '10.0.0.1'],
    ['http://127.0.0.1.feed.example/', '93.184.216.34'],
  ])('%s that resolves to %s is refused unless it is allowed', async (url, address) => {
    const resolve = async () => [{ address, family: 4 }]
    const host = new URL(url).hostname
    expect(await sentenceFor(url, { resolve })).toBe(
      `${host} is not an allowed host. Add it to BINNACLE_OUTBOUND_HOSTS to call it.`,
    )
  })

  test('is allowed with its port only if the list names one', async () => {
    const target = await openTarget()
    const other = await openTarget()
    const resolve = async () => [{ address: '10.0.0.1', family: 4 }]
    const options = { resolve, allowedHosts: [{ name: 'feed.example', port: target.port }] }
    expect(await sentenceFor(`http://feed.example:${other.port}/`, options)).toMatch('is not an allowed host')
    const deadline = AbortSignal.abort()
    const allowed = { ...options, startDeadline: () => deadline }
    expect(await sentenceFor(`http://feed.example:${target.port}/`, allowed)).toMatch('within 5 seconds')
  })

  test('that is unknown is reported', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
    expect(await sentenceFor('http://nowhere.example/', { resolve })).toBe(
      'The name nowhere.example does not exist.',
    )
  })
})

test.each([
  'http://169.254.169.254/latest/meta-data',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://169.254.43518/',
  'http://169.254.169.254./',
  'http://[fe80::1]/',
  'http://0.0.0.0/',
  'http://0/',
  'http://[::]/',
])('%s is never called, even if it is allowed', async (url) => {
  const allowedHosts = [{ name: new URL(url).hostname, port: undefined }]
  expect(await sentenceFor(url, { allowedHosts })).toMatch(/Such addresses are never called\.$/)
})

test.each(['http://2130706433', 'http://0177.0.0.1', 'http://0x7f.1', 'http://[::ffff:127.0.0.1]'])(
  '%s is loopback in another spelling',
  async (origin) => {
    const target = await openTarget()
    expect(await send({ url: `${origin}:${target.port}/` })).toMatchObject({ ok: true, status: 200 })
  },
)

test.each([
  ['ftp://localhost/', 'Only http and https addresses are called, not ftp:'],
  ['file:///etc/passwd', 'Only http and https addresses are called, not file:'],
  [
    'http://me:secret@localhost/',
    'The address contains a user name or password. Send credentials in a header instead.',
  ],
  ['http://', 'The address of the request is not a valid URL.'],
  ['http://[fe80::1%25eth0]/', 'The address of the request is not a valid URL.'],
])('%s is refused', async (url, sentence) => expect(await sentenceFor(url)).toBe(sentence))

test.each([
  [{ Host: 'evil.example' }, 'The header Host is set by the connection. Remove it.'],
  [{ 'Transfer-Encoding': 'chunked' }, 'The header Transfer-Encoding is set by the connection. Remove it.'],
  [{ 'a b': '1' }, "'a b' is not a valid header name."],
  [{ a: '1\r\nX: 2' }, 'The value of the header a contains characters that are not allowed in a header.'],
])('the headers %j are refused, and nothing is sent', async (headers, sentence) => {
  const target = await openTarget()
  expect(await send({ url: target.url, headers })).toMatchObject({ ok: false, sentence })
  expect(target.connections()).toBe(0)
})

describe('an answer', () => {
  test('without end is read up to 1 MiB, and the first 8 KiB are returned', async () => {
    let sent = 0
    const target = await openTarget((response) => {
      const block = Buffer.alloc(65_536, 'x')
      const pour = () => {
        while (response.writable && response.write(block)) sent += block.length
      }
      response.on('drain', pour)
      response.on('close', () => response.off('drain', pour))
      pour()
    })
    const outcome = await send({ url: target.url })
    expect(outcome).toMatchObject({ ok: true, sizeBytes: MIB, isCut: true })
    expect(outcome.ok && outcome.body.length).toBe(8192)
    expect(sent).toBeLessThan(64 * MIB)
  })

  test('is not read with maxBodyBytes 0', async () => {
    const target = await openTarget((response) => response.write('never ends'))
    expect(await send({ url: target.url, maxBodyBytes: 0 })).toMatchObject({
      ok: true,
      status: 200,
      sizeBytes: 0,
    })
  })

  test('that trickles ends at the deadline', async () => {
    const deadline = new AbortController()
    let drops = 0
    const target = await openTarget((response) => {
      const drip = () => {
        drops += 1
        if (drops === 20) deadline.abort()
        else response.write('.', () => setImmediate(drip))
      }
      drip()
    })
    const startDeadline = () => deadline.signal
    expect(await send({ url: target.url }, { startDeadline })).toMatchObject({
      ok: false,
      sentence: 'No complete response within 5 seconds.',
    })
    expect(drops).toBe(20)
  })

  test('that never begins or never resolves ends at the deadline', async () => {
    const deadline = new AbortController()
    const target = await openTarget(() => deadline.abort())
    expect(await sentenceFor(target.url, { startDeadline: () => deadline.signal })).toMatch(
      'within 5 seconds',
    )
    const second = new AbortController()
    const resolve = () => {
      setImmediate(() => second.abort())
      return new Promise<never>(() => {})
    }
    const options = { resolve, startDeadline: () => second.signal }
    expect(await sentenceFor('http://slow.example/', options)).toMatch('within 5 seconds')
  })

  test('[API-10] has a deadline of 5000 ms', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    await send({ url: (await openTarget()).url })
    expect(timeout.mock.calls).toEqual([[5000]])
  })

  test('that breaks off is a failure', async () => {
    const target = await openTarget((response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy())
    })
    expect(await sentenceFor(target.url)).toBe(
      `127.0.0.1:${target.port} closed the connection before its response was complete.`,
    )
  })

  test('that is not HTTP is reported', async () => {
    const server = createServer((socket) => socket.end('220 mail.example ESMTP\r\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = Object(server.address())
    expect(await sentenceFor(`http://127.0.0.1:${port}/`)).toBe(`127.0.0.1:${port} does not speak HTTP.`)
    server.close()
  })

  test('over https requires TLS', async () => {
    const target = await openTarget()
    expect(await sentenceFor(`https://localhost:${target.port}/`)).toBe(
      `localhost:${target.port} does not speak TLS, or a version that is not accepted.`,
    )
    expect(target.seen).toEqual([])
  })

  test('fails where nothing listens', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = Object(server.address())
    await new Promise((resolve) => server.close(resolve))
    expect(await sentenceFor(`http://127.0.0.1:${port}/`)).toBe(
      `Nothing listens at 127.0.0.1:${port}: the connection was refused.`,
    )
  })
})

type Sent = Partial<Parameters<ReturnType<typeof createOutbound>['send']>[0]> & { url: string }

function send(request: Sent, options: Partial<OutboundOptions> = {}) {
  const outbound = createOutbound({ allowedHosts: [], ...options })
  return outbound.send({ method: 'GET', maxBodyBytes: 8192, ...request })
}

async function sentenceFor(url: string, options: Partial<OutboundOptions> = {}) {
  const outcome = await send({ url }, options)
  return outcome.ok ? expect.fail(`${url} was called: ${outcome.status}`) : outcome.sentence
}
