import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NodeClient } from '@binnacle/nautilus'
import { FakeNode } from '@binnacle/nautilus/testkit'
import { afterAllTests, temporaryFolder } from '@binnacle/stores/testkit'
import { beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { parseConfig } from '#config/config.ts'
import { restoreCommand } from '#databases/backups/restore-command.ts'
import { partsOf } from '#databases/one-file-backup/data-folder-parts.ts'
import { startServer } from '#server.ts'
import { checkOwnStores, ownStoresIn } from '#storage/own-store-check.ts'
import { runningServer, type TestServer, testEnvironment } from '#testkit/running-server.ts'

const atEnd = afterAllTests()
const folder = temporaryFolder({}, atEnd)
const socket = join(folder, 'node.sock')
const node = new FakeNode({ socket })
const order = { instrument: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: 0.01, price: 50_000 }

let server: TestServer

beforeAll(async () => {
  const file = enginesFile([
    { name: 'first', kind: 'embedded' },
    { name: 'second', kind: 'embedded', trader_id: 'DESK-002' },
    { name: 'node', kind: 'nautilus', address: socket },
  ])
  server = await runningServer({ BINNACLE_ENGINES: file }, atEnd)
})

test('[ENGS-3] a call acts on the engine that it names, and on the first one without a name', async () => {
  const first = await call('POST', '/api/orders', { body: order })
  const second = await call('POST', '/api/orders', { engine: 'second', body: { ...order, quantity: 0.02 } })
  expect([first.status, second.status]).toEqual([201, 201])
  const quantitiesOf = async (engine?: string) =>
    (await call('GET', '/api/orders', { engine })).body.orders.map(
      ({ quantity }: { quantity: number }) => quantity,
    )
  expect(await quantitiesOf()).toEqual([0.01])
  expect(await quantitiesOf('first')).toEqual([0.01])
  expect(await quantitiesOf('second')).toEqual([0.02])
  const traderOf = async (engine: string) =>
    (await call('GET', '/api/engine/info', { engine })).body.trader_id
  expect([await traderOf('first'), await traderOf('second')]).toEqual(['TRADER-001', 'DESK-002'])
})

test('[ENGS-4] an engine that the server does not have is refused with the names of those it has', async () => {
  expect(await call('GET', '/api/capabilities', { engine: 'third' })).toMatchObject({
    status: 422,
    body: {
      code: 'engine.not-configured',
      detail: "'third' is not an engine of this server; choose from first, second, node.",
      errors: [{ field: 'header.binnacle-engine' }],
    },
  })
})

test('[ENGS-51] the name of an engine is repeated up to 80 characters', async () => {
  const { body } = await call('GET', '/api/capabilities', { engine: 'x'.repeat(200) })
  expect(body.detail).toMatch(/^'x{80}…' is not an engine of this server/)
})

test('[ENGS-5] the stream follows the engine in its address', async () => {
  expect(await traderOnStream('')).toBe('TRADER-001')
  expect(await traderOnStream('?engine=second')).toBe('DESK-002')
})

test('[ENGS-6] the engines are listed with kind, mode, state and trading state, the default one first', async () => {
  const { engines } = (await call('GET', '/api/engines', { engine: 'second' })).body
  expect(engines.slice(0, 2)).toMatchObject([
    { name: 'first', kind: 'embedded', is_default: true, mode: 'simulated', state: 'running' },
    { name: 'second', is_default: false, reason: null, trading_state: 'ACTIVE', age_s: expect.any(Number) },
  ])
  expect((await call('GET', '/api/capabilities')).body.capabilities).toContain('engines')
})

test('[ENGS-25] the page of a screen preloads no replies of the first engine', async () => {
  const url = `http://localhost:${server.ports.trading}/trader/orders`
  const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text()
  expect(page).toContain('modulepreload')
  expect(page).not.toContain('as="fetch"')
})

test('[ENGS-9] audit records of a further engine carry its name before their target', async () => {
  await call('POST', '/api/component/restart', { engine: 'second', body: { component: 'Cache' } })
  await expect.poll(() => targetsOf('component')).toContain('second/Cache')
  const ofCache = async (engine: string) => {
    const { components } = (await call('GET', '/api/components', { engine })).body
    return components.find(({ id }: { id: string }) => id === 'Cache').history.length
  }
  expect(await ofCache('second')).toBeGreaterThan(0)
  expect(await ofCache('first')).toBe(0)
})

test('[ENGS-15] alerts of every engine are in one inbox and name theirs', async () => {
  const ofComponent = async () => {
    const { alerts } = (await call('GET', '/api/alerts')).body
    return alerts.map(({ title, text }: { title: string; text: string }) => `${title}: ${text}`)
  }
  await call('POST', '/api/component/stop', { engine: 'second', body: { component: 'Portfolio' } })
  await expect.poll(ofComponent).toContainEqual(expect.stringMatching(/\(second\): second: Portfolio is not/))
  expect(await ofComponent()).not.toContainEqual(expect.stringContaining('first: Portfolio'))
  await call('POST', '/api/component/start', { engine: 'second', body: { component: 'Portfolio' } })
})

test('[ENGS-10] the admin and the database API are those of the server, whatever the engine', async () => {
  expect((await call('GET', '/api/admin/settings', { engine: 'third' })).status).toBe(200)
  expect((await call('GET', '/api/db/connections', { engine: 'node' })).status).toBe(200)
})

test('[ENGS-11] the backup of everything in one file has the data of every engine', async () => {
  const paths: string[] = []
  for await (const part of partsOf({ dataFolder: server.dataFolder, hasKeys: false })) paths.push(part.path)
  expect(paths).toEqual(
    expect.arrayContaining([
      ...['journal.sqlite', 'engines/second/journal.sqlite', 'engines/second/samples.sqlite'],
      'engines.json',
    ]),
  )
  expect(paths.filter((path) => path.endsWith('lock.sqlite'))).toEqual([])
})

test('[ENGS-7] a node that is not there does not keep the others from starting, and is reached later', async () => {
  const ofNode = async () => (await call('GET', '/api/engines')).body.engines[2]
  await expect.poll(ofNode).toMatchObject({
    name: 'node',
    kind: 'nautilus',
    mode: null,
    state: 'unreachable',
    age_s: null,
    reason: expect.stringContaining(`The NautilusTrader node at ${socket} cannot be reached`),
  })
  const refused = await call('POST', '/api/orders', { engine: 'node', body: order })
  expect(refused).toMatchObject({ status: 503, body: { code: 'engine.unreachable' } })
  expect(refused.body.detail).toMatch(
    /^The engine 'node' cannot be reached, so nothing was done\. The Nautilus/,
  )
  await node.start()
  await node.quote({ instrument: 'BTCUSDT-PERP.BINANCE' })
  await expect.poll(ofNode).toMatchObject({ mode: 'paper', state: 'running', trading_state: 'ACTIVE' })
  const placed = await call('POST', '/api/orders', {
    engine: 'node',
    body: { ...order, instrument: 'BTCUSDT-PERP.BINANCE', type: 'MARKET', price: 0, quantity: 0.1 },
  })
  expect(placed).toMatchObject({ status: 201, body: { status: 'FILLED' } })
  await node.kill()
  await expect.poll(ofNode).toMatchObject({ state: 'disconnected', trading_state: 'HALTED' })
  expect((await call('GET', '/api/positions', { engine: 'node' })).body.positions).toHaveLength(1)
  expect((await call('GET', '/api/engine/info')).body.status).toBe('running')
})

test('[ENGS-8] [ENGS-53] [ENGS-54] each engine keeps its place in the data folder, also when the list has another order, and its stores are backed up with those of the first and restored', async () => {
  const dataFolder = join(temporaryFolder({}, atEnd), 'data')
  const env = { ...testEnvironment(atEnd), BINNACLE_DATA: dataFolder, BINNACLE_SITE: 'none' }
  const [a, b] = [
    { name: 'a', kind: 'embedded' },
    { name: 'b', kind: 'embedded' },
  ]
  const start = (engines: object[]) =>
    startServer(parseConfig({ ...env, BINNACLE_ENGINES: enginesFile(engines) }))
  const before = await start([a, b])
  expect(existsSync(join(dataFolder, 'engines', 'b', 'journal.sqlite'))).toBe(true)
  expect(existsSync(join(dataFolder, 'engines', 'a'))).toBe(false)
  const port = before.ports.trading
  await call('POST', '/api/orders', { engine: 'b', body: order, port })
  const backup = await call('POST', '/api/database/backup', { body: { db_type: 'all' }, port })
  expect(backup.status, JSON.stringify(backup.body)).toBeLessThan(300)
  const isOf = (store: string) => (name: string) => name.startsWith(`${store}-2`)
  const backedUp = () => readdirSync(join(dataFolder, 'backups'))
  for (const store of [
    'binnacle-journal',
    ...['journal', 'orders', 'samples'].map((role) => `binnacle-${role}-b`),
  ]) {
    await expect.poll(() => backedUp().filter(isOf(store))).toHaveLength(1)
  }
  await call('POST', '/api/orders', { engine: 'b', body: order, port })
  await before.close(0)
  const [name = ''] = backedUp().filter(isOf('binnacle-journal-b'))
  expect(await restoreCommand(dataFolder, name)).toMatch(
    /^Binnacle journal of b was restored from the backup of /,
  )
  const after = await start([b, a])
  const countOf = async (engine: string) =>
    (await call('GET', '/api/orders', { engine, port: after.ports.trading })).body.orders.length
  expect([await countOf('a'), await countOf('b')]).toEqual([0, 1])
  await after.close(0)
})

test('[ENGS-23] [NAUT-180] [ENGS-52] two NautilusTrader nodes without an embedded engine start and work, also after a restart beside another console', async () => {
  const home = temporaryFolder({}, atEnd)
  const dataFolder = join(home, 'data')
  const env = { ...testEnvironment(atEnd), BINNACLE_DATA: dataFolder, BINNACLE_SITE: 'none' }
  const names = ['osaka', 'tokyo']
  const nodes = names.map((name) => new FakeNode({ socket: join(home, name) }))
  for (const each of nodes) {
    await each.start()
    await each.quote({ instrument: 'BTCUSDT-PERP.BINANCE' })
  }
  const list = names.map((name) => ({ name, kind: 'nautilus', address: join(home, name) }))
  const file = enginesFile(list)
  const start = () => startServer(parseConfig({ ...env, BINNACLE_ENGINES: file }))
  const running = await start()
  const at = (method: 'GET' | 'POST', path: string, engine: string, body?: object) =>
    call(method, path, { engine, port: running.ports.trading, ...(body && { body }) })
  const states = async () =>
    (await at('GET', '/api/engines', 'osaka')).body.engines.map(
      ({ name, state, is_default: isDefault }: Record<string, string>) => `${name} ${state} ${isDefault}`,
    )
  await expect.poll(states).toEqual(['osaka running true', 'tokyo running false'])
  const market = { ...order, instrument: 'BTCUSDT-PERP.BINANCE', type: 'MARKET', price: 0, quantity: 0.1 }
  for (const [index, name] of names.entries()) {
    const body = { ...market, side: index === 0 ? 'BUY' : 'SELL' }
    expect(await at('POST', '/api/orders', name, body)).toMatchObject({
      status: 201,
      body: { status: 'FILLED' },
    })
  }
  const sideOf = async (engine: string) => (await at('GET', '/api/positions', engine)).body.positions[0].side
  expect([await sideOf('osaka'), await sideOf('tokyo')]).toEqual(['LONG', 'SHORT'])
  expect((await at('GET', '/api/capabilities', 'osaka')).body.capabilities).toContain('engines')
  const curveOf = async (engine: string) =>
    (await at('GET', '/api/performance?period=1D', engine)).body.curve.length
  for (const name of names) await expect.poll(() => curveOf(name)).toBeGreaterThan(0)
  await running.close(0)
  expect(existsSync(join(dataFolder, 'journal.sqlite'))).toBe(false)
  const checks = await checkOwnStores(await ownStoresIn(dataFolder))
  expect(checks.filter(({ fault }) => fault !== undefined)).toEqual([])

  // Another console commands one of them.
  const other = new NodeClient({ address: { kind: 'socket', path: join(home, 'tokyo') } })
  await expect.poll(() => other.status.isWriter).toBe(true)
  const again = await start()
  const countOf = async (engine: string) => {
    const { status, body } = await call('GET', '/api/orders', { engine, port: again.ports.trading })
    return status === 200 ? body.orders.length : status
  }
  await expect.poll(async () => [await countOf('osaka'), await countOf('tokyo')]).toEqual([1, 1])
  const port = again.ports.trading
  const tokyo = async () => (await call('GET', '/api/engines', { port })).body.engines[1]
  const reason = 'another console sends the commands of this node'
  expect(await tokyo()).toMatchObject({ state: 'read-only', reason, trading_state: 'ACTIVE' })
  expect((await call('GET', '/api/engine/info', { engine: 'tokyo', port })).body).toMatchObject({
    status: 'read-only',
    is_running: true,
    read_only_reason: reason,
  })
  const refused = await call('POST', '/api/orders', { engine: 'tokyo', body: market, port })
  expect(refused).toMatchObject({ status: 409, body: { code: 'engine.refused' } })
  expect(refused.body.detail).toContain(`This console only reads: ${reason}`)
  await other.close()
  await expect.poll(tokyo).toMatchObject({ state: 'running', reason: null })
  await again.close(0)
  for (const each of nodes) await each.kill()
})

function enginesFile(engines: readonly object[]): string {
  const file = join(temporaryFolder({}, atEnd), 'engines.json')
  writeFileSync(file, JSON.stringify(engines))
  return file
}

interface CallOptions {
  engine?: string | undefined
  body?: object
  port?: number
}

async function call(
  method: 'GET' | 'POST',
  path: string,
  { engine, body, port = server.ports.trading }: CallOptions = {},
) {
  const headers = {
    ...(engine && { 'binnacle-engine': engine }),
    ...(body && { 'content-type': 'application/json' }),
  }
  const reply = await fetch(`http://localhost:${port}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: reply.status, body: JSON.parse(await reply.text()) }
}

async function targetsOf(entity: string): Promise<string[]> {
  const { logs } = (await call('GET', `/api/admin/audit-logs?entity=${entity}`)).body
  return logs.map(({ target }: { target: string }) => target)
}

function traderOnStream(query: string): Promise<string> {
  const stream = new WebSocket(`ws://localhost:${server.ports.trading}/api/stream${query}`)
  return new Promise((resolve, reject) => {
    stream.on('error', reject)
    stream.on('message', (data) => {
      const frame = JSON.parse(String(data))
      if (frame.type === 'hello') stream.send(JSON.stringify({ type: 'subscribe', topics: ['engine'] }))
      if (frame.type !== 'snapshot') return
      stream.close()
      resolve(frame.data.trader_id)
    })
  })
}
