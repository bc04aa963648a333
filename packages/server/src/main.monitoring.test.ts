import { existsSync, readdirSync, readFileSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { AuditLog, LogLine, Monitoring, Samples } from '@binnacle/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseExposition } from '#testkit/exposition.ts'
import { runningServer, type TestServer } from '#testkit/running-server.ts'
import { StreamReader } from '#testkit/stream.ts'

const ends: (() => unknown)[] = []
let server: TestServer
let origin: string

beforeAll(async () => {
  server = await runningServer(
    { BINNACLE_POSTGRES_URL: 'postgresql://desk:hunter2@127.0.0.1:1/desk' },
    (end) => ends.push(end),
  )
  origin = `http://127.0.0.1:${server.ports.trading}`
})

afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

async function get(path: string): Promise<Response> {
  return fetch(`${origin}${path}`)
}

async function putSetting(key: string, value: string): Promise<Response> {
  return fetch(`${origin}/api/admin/settings/${key}?value=${encodeURIComponent(value)}`, { method: 'PUT' })
}

test('[MON-3] processor, memory, requests, uptime, rates and sizes are measured', async () => {
  await get('/api/orders')
  const read = (await (await get('/api/admin/monitoring')).json()) as Monitoring
  expect(read.cpu.cores).toBeGreaterThan(0)
  expect(read.memory.resident).toBeGreaterThan(10_000_000)
  expect(read.memory.machine_total).toBeGreaterThan(read.memory.resident)
  expect(read.requests.open).toBe(1)
  expect(read.rates.map(({ name, unit }) => `${name} ${unit}`)).toEqual([
    'Market trades/s',
    'Prices marks/s',
    'Orders orders/s',
    'Fills fills/s',
    'Journal entries/s',
    'Stream frames/s',
  ])
  const orders = read.routes.find(({ method, path }) => method === 'GET' && path === '/api/orders')
  expect(orders).toMatchObject({ replies: 1, errors: 0 })
  expect(orders?.p50_ms).toBeGreaterThan(0)
  await expect
    .poll(async () => ((await (await get('/api/admin/monitoring')).json()) as Monitoring).stores)
    .toContainEqual(expect.objectContaining({ name: 'Journal', bytes: expect.any(Number) }))
})

test('[MON-3] the figures are recorded as samples', async () => {
  const from = new Date(Date.now() - 3_600_000).toISOString()
  const names = 'cpu.process,memory.resident,requests,loop.delay,rate.entries'
  await expect
    .poll(async () => {
      const reply = await get(`/api/samples?series=${names}&from=${from}`)
      const read = (await reply.json()) as Samples
      return read.series.map(({ points }) => points.length > 0)
    })
    .toEqual([true, true, true, true, true])
})

test('[MON-8] [MON-9] [MON-20] /metrics is correct Prometheus text with the usual names', async () => {
  await get('/api/orders')
  const reply = await get('/metrics')
  expect(reply.headers.get('content-type')).toContain('text/plain; version=0.0.4')
  const samples = parseExposition(await reply.text())
  const names = new Set(samples.map(({ name }) => name))
  for (const name of [
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_p99_seconds',
    'binnacle_http_requests_open',
    'binnacle_entries_total',
    'binnacle_equity',
    'binnacle_trading_active',
  ])
    expect(names).toContain(name)
  expect(
    samples.find(
      ({ name, labels }) =>
        name === 'binnacle_http_request_duration_seconds_count' && labels.route === '/api/orders',
    )?.labels,
  ).toEqual({ method: 'GET', route: '/api/orders', status: '200' })
})

const isLinux = existsSync('/proc/self/stat')

test.skipIf(!isLinux)('[MON-4] the figures shown agree with the operating system within 5 %', async () => {
  /** Both are read again until they are of one moment: the server measures once a second, disk and stores once a minute. */
  const expectNear = (figure: string, shown: () => Promise<number | undefined>, kernel: () => number) =>
    expect
      .poll(async () => Math.abs(((await shown()) ?? Number.NaN) / kernel() - 1), { message: figure })
      .toBeLessThan(0.05)
  const measured = async () => (await (await get('/api/admin/monitoring')).json()) as Monitoring
  const exposed = async (name: string) =>
    parseExposition(await (await get('/metrics')).text()).find((sample) => sample.name === name)?.value

  await expectNear('memory', async () => (await measured()).memory.resident, kernelResident)
  await expectNear('memory in /metrics', () => exposed('process_resident_memory_bytes'), kernelResident)
  await expectNear('machine memory', async () => (await measured()).memory.machine_used, kernelMemoryUsed)
  await expectNear('open files in /metrics', () => exposed('process_open_fds'), kernelOpenFiles)
  const kernelDisk = () => statfsSync(server.dataFolder)
  await expectNear(
    'disk free',
    async () => (await measured()).disk?.free,
    () => kernelDisk().bavail * kernelDisk().bsize,
  )
  await expectNear(
    'disk total',
    async () => (await measured()).disk?.total,
    () => kernelDisk().blocks * kernelDisk().bsize,
  )
  // The metric counts from the start of the server on.
  const atFirst = {
    shown: (await exposed('process_cpu_seconds_total')) ?? 0,
    kernel: kernelProcessorSeconds(),
  }
  await expectNear(
    'processor time in /metrics',
    async () => ((await exposed('process_cpu_seconds_total')) ?? 0) - atFirst.shown,
    () => kernelProcessorSeconds() - atFirst.kernel,
  )
})

function kernelResident(): number {
  return kibibytes('/proc/self/status', 'VmRSS')
}

function kernelMemoryUsed(): number {
  return kibibytes('/proc/meminfo', 'MemTotal') - kibibytes('/proc/meminfo', 'MemAvailable')
}

function kernelOpenFiles(): number {
  return readdirSync('/proc/self/fd').length
}

/** The kernel counts in hundredths of a second. */
function kernelProcessorSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** A line such as 'VmRSS: 1234 kB', in bytes. */
function kibibytes(file: string, name: string): number {
  const [, number] = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(file, 'latin1')) ?? []
  return Number(number) * 1024
}

test('[MON-9] every metric that the Grafana dashboard asks for is exposed', async () => {
  const file = join(import.meta.dirname, '../../../docs/guide/grafana-dashboard.json')
  const { panels } = JSON.parse(readFileSync(file, 'utf8')) as { panels: { targets: { expr: string }[] }[] }
  const asked = panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) => expr.match(/\b(?:binnacle|process|nodejs)_\w+/g) ?? []),
  )
  const text = await (await get('/metrics')).text()
  const declared = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  expect(asked.length).toBeGreaterThan(10)
  expect(asked.filter((name) => !declared.has(name.replace(/_(bucket|count)$/, '')))).toEqual([])
})

test('[MON-10] each listener says whether it is ready, apart from its health', async () => {
  for (const port of Object.values(server.ports)) {
    const reply = await fetch(`http://127.0.0.1:${port}/api/ready`)
    expect([reply.status, await reply.json()]).toEqual([200, { status: 'ready' }])
  }
})

test('[MON-12] [MON-14] a line has the id of its request, by which the audit record is found', async () => {
  const changed = await putSetting('environment', 'Staging')
  const id = String(changed.headers.get('x-request-id'))
  const { lines } = (await (await get(`/api/admin/logs?text=${id}`)).json()) as { lines: LogLine[] }
  expect(lines).toMatchObject([{ event: 'request', level: 'info', request_id: id }])
  expect(lines[0]?.text).toMatch(/^PUT \/api\/admin\/settings\/environment 200 in [\d.]+ ms$/)
  const audit = (await (await get(`/api/admin/audit-logs?request_id=${id}`)).json()) as { logs: AuditLog[] }
  expect(audit.logs).toMatchObject([{ action: 'settings.update', target: 'environment', request_id: id }])
})

test('[MON-12] new lines travel on the stream', async () => {
  const reader = new StreamReader()
  await reader.connect(server.ports.trading, ['logs'])
  const reply = await get('/api/positions')
  const id = reply.headers.get('x-request-id')
  await expect
    .poll(() =>
      JSON.stringify(reader.frames.filter((frame) => frame.type === 'change' && frame.topic === 'logs')),
    )
    .toContain(id)
  reader.cut()
})

test('[MON-15] the whole log can be downloaded, and no secret is in it', async () => {
  await fetch(`${origin}/api/admin/settings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      key: 'smtp_password',
      value: 'hunter2',
      description: '',
      category: 'notifications',
    }),
  })
  await putSetting('smtp_password', 'hunter3')
  const marker = (await get('/api/nothing')).headers.get('x-request-id')
  await expect.poll(async () => (await get('/api/admin/logs/download')).text()).toContain(marker)
  const text = await (await get('/api/admin/logs/download')).text()
  expect(text).not.toMatch(/hunter/)
})

test('[MON-17] the support bundle has no secret and lists what was removed', async () => {
  const reply = await get('/api/admin/reports/support-bundle')
  expect(reply.headers.get('content-disposition')).toMatch(/binnacle-support-\d{4}-\d\d-\d\d\.tar\.gz/)
  const archive = gunzipSync(await reply.arrayBuffer())
  const files = untar(archive)
  expect([...files.keys()].filter((name) => !name.startsWith('logs/'))).toEqual([
    'about.json',
    'monitoring.json',
    'metrics.txt',
    'settings.json',
    'connections.json',
    'jobs.json',
    'removed.txt',
  ])
  expect(archive.toString('latin1')).not.toMatch(/hunter/)
  const removed = files.get('removed.txt')
  expect(removed).toContain('about.json: the value of BINNACLE_POSTGRES_URL')
  expect(removed).toContain('settings.json: the value of smtp_password')
  expect(removed).toContain('secret.key')
})

test('[MON-18] the report of a day comes as a page and as CSV', async () => {
  const date = new Date().toISOString().slice(0, 10)
  const html = await get(`/api/admin/reports/daily?date=${date}`)
  expect(html.headers.get('content-type')).toContain('text/html')
  const page = await html.text()
  expect(page).toContain(`<h1>Binnacle: daily report ${date}</h1>`)
  expect(page).toContain('Simulated venues')
  expect(page).toContain('<th>Figure</th><th>First hour</th>')
  const csv = await (await get(`/api/admin/reports/daily?date=${date}&format=csv`)).text()
  expect(csv).toContain('"Fills","0"')
  expect(csv).toContain('"Equity"')
})

test('[MON-18] a report of tomorrow and a date that does not exist are refused', async () => {
  const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  expect(await (await get(`/api/admin/reports/daily?date=${tomorrow}`)).json()).toMatchObject({
    status: 422,
    errors: [{ field: 'query.date', message: 'must not be in the future' }],
  })
  expect((await get('/api/admin/reports/daily?date=2026-02-31')).status).toBe(422)
})

/** The files of a tar archive by name. */
function untar(archive: Buffer): Map<string, string> {
  const files = new Map<string, string>()
  for (let at = 0; archive[at] !== 0; ) {
    const name = archive.toString('latin1', at, at + 100).replace(/\0.*$/s, '')
    const size = Number.parseInt(archive.toString('latin1', at + 124, at + 135), 8)
    files.set(name, archive.toString('utf8', at + 512, at + 512 + size))
    at += 512 + Math.ceil(size / 512) * 512
  }
  return files
}
