import type { AlertRule } from '@binnacle/contract'
import { MS_PER_DAY, standardInstruments } from '@binnacle/engine'
import { anOrder, aQuote } from '@binnacle/engine/testkit'
import { until } from '@binnacle/stores/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHttpApp } from '#http/app.ts'
import { type Alerts, openAlerts } from '#services/alerts/alerts.ts'
import { createServerFigures } from '#services/alerts/server-figures.ts'
import { createOutbound } from '#services/outbound/outbound.ts'
import { newAdminStore } from '#testkit/admin-store.ts'
import { type InMemoryDesk, openInMemoryDesk } from '#testkit/in-memory-desk.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { textsOf } from '#testkit/stream.ts'
import { StreamHub } from '#trading/stream/stream-hub.ts'
import { createDeskFigures } from './alert-figures.ts'
import { addTradingApp } from './app.ts'
import { wallClock } from './runtime/wall-clock.ts'

const atEnd: (() => unknown)[] = []
const app = createHttpApp({ logger: silentLog })
let desk: InMemoryDesk
let alerts: Alerts
let figures: ReturnType<typeof createServerFigures>

const yesterday = Math.floor(Date.now() / MS_PER_DAY) * MS_PER_DAY - MS_PER_DAY

beforeAll(async () => {
  const { store } = await newAdminStore((end) => atEnd.push(end))
  desk = await openInMemoryDesk()
  figures = createServerFigures('/no/such/folder')
  alerts = await openAlerts({
    store: store.alerts,
    sources: [createDeskFigures(desk), figures],
    outbound: createOutbound({ allowedHosts: [] }),
    isManual: true,
    // Yesterday the price passed 110 twice, for two minutes each.
    bars: async () =>
      [100, 109, 111, 112, 104, 99, 113, 111, 90].map((price, minute) => ({
        atMs: yesterday + minute * 60_000,
        low: price,
        high: price,
        last: price,
      })),
  })
  addTradingApp(app, { desk, traderId: 'TRADER-001', alerts })
  quote(50_000)
})

afterAll(async () => {
  await alerts.close(10_000)
  figures.close()
  for (const end of atEnd.reverse()) await end()
})

function quote(bid: number) {
  desk.accept(aQuote(standardInstruments(), { at: wallClock.now(), bid, ask: bid + 1 }))
}

async function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) {
  const reply = await app.inject({ method, url, ...(payload && { payload }) })
  return { status: reply.statusCode, body: reply.json() }
}

const RULE = {
  name: 'BTC at 60,000',
  watch: 'price',
  subject: 'BTCUSDT',
  threshold: 60_000,
  clear: 59_000,
  cooldown_s: 0,
}

async function open(watch: string): Promise<{ title: string; text: string; id: number }[]> {
  await alerts.tick()
  const { body } = await call('GET', '/api/alerts')
  return body.alerts.filter((alert: { watch: string }) => alert.watch === watch)
}

test('[CAP-10] [ALERT-28] a server with alerts says so, and has first rules for everything that can go wrong', async () => {
  expect((await call('GET', '/api/capabilities')).body.capabilities).toContain('alerts')
  const { body } = await call('GET', '/api/alerts/rules')
  expect(body.rules.map(({ name }: AlertRule) => name)).toEqual([
    'Exposure above 60%',
    'Daily loss at half',
    'Drawdown',
    'Margin above 60%',
    'Order refusals',
    'Feed staleness',
    'Component stopped',
    'Adapter disconnected',
    'Job failed',
    'Task failed',
    'Disk space',
    'Engine silent',
  ])
  expect(body.subjects.component).toContain('RiskEngine')
  expect(body.subjects.price).toContain('BTCUSDT.BYBIT')
})

describe('a rule', () => {
  test.each([
    [{ subject: null }, 'body.subject', 'must name an instrument'],
    [{ subject: 'NOSUCH' }, 'body.subject', /^must be one of BTCUSDT, /],
    [{ clear: 60_001 }, 'body.clear', 'must be at most 60000'],
    [{ direction: 'below' }, 'body.clear', 'must be at least 60000'],
    [{ watch: 'disk' }, 'body.subject', 'must be empty: this rule has no subject'],
    [{ channels: [] }, 'body.channels', expect.any(String)],
    [
      { mute: [{ days: [1], from: '9:00', to: '10:00' }] },
      'body.mute.0.from',
      'must be a time such as 22:00',
    ],
  ])('[ALERT-9] with %j is refused at its field', async (change, field, message) => {
    const { status, body } = await call('POST', '/api/alerts/rules', { ...RULE, ...change })
    expect(status).toBe(422)
    const expected = message instanceof RegExp ? expect.stringMatching(message) : message
    expect(body.errors).toEqual([expect.objectContaining({ field, message: expected })])
  })

  test('[ALERT-26] [ALERT-31] is tested on what was recorded before it is saved', async () => {
    const rule = { ...RULE, threshold: 110, clear: 105, cooldown_s: 0 }
    const { status, body } = await call('POST', '/api/alerts/rules/test', { rule })
    expect(status).toBe(200)
    const at = (minute: number) => new Date(yesterday + minute * 60_000).toISOString()
    expect(body).toMatchObject({
      from: at(0),
      to: at(1440),
      firings: [
        { at: at(2), value: 111, cleared_at: at(4) },
        { at: at(6), value: 113, cleared_at: at(8) },
      ],
      seconds_beyond: 240,
      longest_s: 120,
      note: null,
    })
    const jobs = { ...RULE, watch: 'job', subject: null, threshold: 1, clear: 1 }
    expect((await call('POST', '/api/alerts/rules/test', { rule: jobs })).body.note).toBe(
      'What this rule watches is not recorded, so it cannot be tested on past data.',
    )
    expect((await call('GET', '/api/alerts/rules')).body.rules).toHaveLength(12)
  })

  test('[ALERT-2] [ALERT-29] [MKT-76] on a price fires with the quote that reaches it, not with the next second', async () => {
    const { status, body: rule } = await call('POST', '/api/alerts/rules', RULE)
    expect(status).toBe(201)
    expect((await call('POST', '/api/alerts/rules', RULE)).status).toBe(409)
    quote(60_100)
    // A tick later the price is back: the peak was observed all the same.
    quote(50_000)
    await until(async () => expect((await call('GET', '/api/alerts')).body.resolved).toBe(1))
    const { body } = await call('GET', '/api/alerts/resolved')
    expect(body.alerts).toMatchObject([
      {
        title: 'BTC at 60,000',
        text: 'BTCUSDT is at 60,100.50, at or above 60,000.00.',
        resolved_by: 'server',
      },
    ])
    const changed = await call('PUT', `/api/alerts/rules/${rule.id}`, { ...RULE, severity: 'critical' })
    expect(changed.body).toMatchObject({ version: 2, severity: 'critical' })
    expect((await call('DELETE', `/api/alerts/rules/${rule.id}`)).status).toBe(200)
    expect((await call('DELETE', `/api/alerts/rules/${rule.id}`)).status).toBe(404)
  })
})

test('[ALERT-29] a stopped component, refused orders, failed jobs and failed tasks raise alerts with their reason', async () => {
  await desk.submit({ type: 'StopComponent', component: 'Cache' })
  expect(await open('component')).toMatchObject([
    { title: 'Component stopped: Cache', text: 'Cache is not running. Its status is stopped.' },
  ])
  await desk.submit({ type: 'StartComponent', component: 'Cache' })
  expect(await open('component')).toEqual([])

  for (let order = 0; order < 3; order++)
    await desk.submit(anOrder({ orderType: 'MARKET', side: 'BUY', quantity: 50 }))
  const [refused] = await open('refusals')
  expect(refused?.text).toMatch(/^3 orders refused within 300 s\. BTCUSDT: .+/)

  figures.addFailure({ id: 1, kind: 'backup.7', title: 'Back up Ledger', error: 'The disk is full.' })
  figures.addFailure({ id: 2, kind: 'task.audit.verify', title: 'Nightly check', error: 'No.' })
  expect(await open('job')).toMatchObject([
    { text: '1 job failed within 300 s. Back up Ledger: The disk is full.' },
  ])
  expect(await open('task')).toMatchObject([{ text: '1 task failed within 300 s. Nightly check: No.' }])
})

test('[ALERT-38] a drawdown clears when equity recovers, and the next one raises an alert again', async () => {
  const drawdown = { name: 'Drawdown of mine', watch: 'drawdown', threshold: 3, clear: 1, cooldown_s: 0 }
  const { status, body: rule } = await call('POST', '/api/alerts/rules', drawdown)
  expect(status).toBe(201)
  const ofRule = async () => (await open('drawdown')).filter(({ title }) => title === drawdown.name)
  await desk.submit(anOrder({ orderType: 'MARKET', side: 'BUY', quantity: 0.15 }))
  for (const fallen of [25_000, 20_000]) {
    quote(50_000)
    expect(await ofRule()).toEqual([])
    quote(fallen)
    expect(await ofRule()).toHaveLength(1)
  }
  quote(50_000)
  await desk.submit(anOrder({ orderType: 'MARKET', side: 'SELL', quantity: 0.15 }))
  expect((await call('DELETE', `/api/alerts/rules/${rule.id}`)).status).toBe(200)
})

test('[ALERT-11] an alert is acknowledged, snoozed and resolved by its id', async () => {
  const [job] = await open('job')
  const path = `/api/alerts/${job?.id}`
  expect((await call('POST', `${path}/snooze`, { seconds: 3600 })).body.snoozed_until).toEqual(
    expect.any(String),
  )
  expect((await call('POST', `${path}/acknowledge`)).body).toMatchObject({ state: 'acknowledged' })
  expect((await call('POST', `${path}/resolve`)).body).toMatchObject({ resolved_by: 'local' })
  expect((await call('POST', `${path}/resolve`)).body).toMatchObject({ code: 'alert.resolved' })
  expect((await call('POST', '/api/alerts/999/resolve')).status).toBe(404)
  expect((await call('POST', `${path}/shown`)).status).toBe(200)
})

test('[ALERT-14] the address of the outside watcher is never returned', async () => {
  const refused = await call('PUT', '/api/alerts/heartbeat', { is_enabled: true, every_s: 60 })
  expect(refused.body.errors).toEqual([
    {
      field: 'body.url',
      message: 'is missing: enter the address of the watcher, such as https://watcher.example/ping',
    },
  ])
  const url = 'https://watch.example/ping/token-7'
  const saved = await call('PUT', '/api/alerts/heartbeat', { is_enabled: false, url, every_s: 60 })
  expect(saved.body).toMatchObject({ host: 'watch.example', every_s: 60 })
  expect(JSON.stringify(saved.body)).not.toContain('token-7')
})

test('[ALERT-27] the topic alerts begins with the summary and carries each change', async () => {
  const hub = new StreamHub({ desk, traderId: 'TRADER-001', alerts })
  const sent: { type: string; topic?: string; topics?: string[]; data?: { open: number } }[] = []
  const client = hub.connect({
    bufferedBytes: 0,
    send: (frames) => void sent.push(...textsOf(frames).map((text) => JSON.parse(text))),
    ping: () => {},
    close: () => {},
  })
  expect(sent[0]?.topics).toContain('alerts')
  client.receive(JSON.stringify({ type: 'subscribe', topics: ['alerts'] }))
  const before = sent.find(({ type }) => type === 'snapshot')
  const { heartbeat_at: _, ...summary } = alerts.summary()
  expect(before?.data).toMatchObject(JSON.parse(JSON.stringify(summary)))
  await call('POST', '/api/alerts/channels/test')
  hub.flush()
  const change = sent.findLast(({ type, topic }) => type === 'change' && topic === 'alerts')
  expect(change?.data?.open).toBe((before?.data?.open ?? 0) + 1)
  hub.close()
})

test('[ALERT-5] Mute for and its end are calls of their own', async () => {
  const { body } = await call('POST', '/api/alerts/mute', { seconds: 900 })
  expect(Date.parse(body.muted_until)).toBeGreaterThan(Date.now())
  expect((await call('GET', '/api/alerts/rules')).body.rules[0]).toMatchObject({ is_muted: true })
  expect((await call('POST', '/api/alerts/mute', { seconds: 0 })).body).toEqual({ muted_until: null })
})

test('[ALERT-30] an engine that stops raises an alert at once', async () => {
  const stopped = await openInMemoryDesk()
  const source = createDeskFigures(stopped, () => 5_000)
  const rule = { watch: 'engine', subject: null, window_s: 1 } as const
  expect(source.read(rule, 30_000)).toEqual([{ subject: '', value: 25 }])
  const halted = new Proxy(stopped, {
    get: (target, key) =>
      key === 'views' ? { ...target.views, haltReason: 'the disk is full' } : Reflect.get(target, key),
  })
  expect(createDeskFigures(halted).read(rule, Date.now())).toEqual([
    { subject: '', value: 1_000_000, detail: 'It stopped: the disk is full.' },
  ])
  await stopped.close()
})
