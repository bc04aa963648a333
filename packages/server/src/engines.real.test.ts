import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { parseConfig } from '#config/config.ts'
import { type RunningServer, startServer } from './server.ts'

const folder = mkdtempSync(join(tmpdir(), 'engines-server-'))
const NODES = ['osaka', 'tokyo'].slice(0, inject('generated').counts.nodesBesideEngine)
let server: RunningServer | undefined

beforeAll(async () => {
  const file = join(folder, 'engines.json')
  writeFileSync(
    file,
    JSON.stringify([
      { name: 'desk', kind: 'embedded' },
      ...NODES.map((name, index) => ({ name, kind: 'nautilus', trader_id: `DESK-00${index + 1}` })),
    ]),
  )
  server = await startServer(
    parseConfig({
      BINNACLE_DATA: join(folder, 'data'),
      BINNACLE_HOST: '127.0.0.1',
      BINNACLE_SITE: 'none',
      BINNACLE_TRADING_PORT: '0',
      BINNACLE_ADMIN_PORT: '0',
      BINNACLE_DATABASE_PORT: '0',
      BINNACLE_ENGINES: file,
      BINNACLE_HISTORY_DAYS: '0',
      BINNACLE_NAUTILUS_PYTHON: process.env.BINNACLE_NAUTILUS_PYTHON,
    }),
  )
})

afterAll(async () => {
  await server?.close(30_000)
  await rm(folder, { recursive: true })
})

async function call(method: 'GET' | 'POST', path: string, engine: string, body?: object) {
  const reply = await fetch(`http://127.0.0.1:${server?.ports.trading}${path}`, {
    method,
    headers: { 'binnacle-engine': engine, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: reply.status, body: JSON.parse(await reply.text()) }
}

test('[ENGS-16] an embedded engine and NautilusTrader nodes trade side by side in one console', async () => {
  const states = async () => {
    const { engines } = (await call('GET', '/api/engines', 'desk')).body
    return engines.map(({ name, mode, state }: Record<string, string>) => `${name} ${mode} ${state}`)
  }
  const running = NODES.map((name) => `${name} paper running`)
  await expect.poll(states).toEqual(['desk simulated running', ...running])
  const order = { instrument: 'BTCUSDT-PERP.SIM', type: 'MARKET', price: 0, quantity: 0.01 }
  for (const [index, name] of NODES.entries()) {
    const side = index === 0 ? 'BUY' : 'SELL'
    // The feed begins with the node; the first quote may follow the start.
    const place = async () => (await call('POST', '/api/orders', name, { ...order, side })).body.status
    await expect.poll(place).toBe('FILLED')
  }
  for (const [index, name] of NODES.entries()) {
    const { positions } = (await call('GET', '/api/positions', name)).body
    const side = index === 0 ? 'LONG' : 'SHORT'
    expect(positions).toMatchObject([{ instrument: 'BTCUSDT-PERP.SIM', side }])
    expect((await call('GET', '/api/engine/info', name)).body.trader_id).toBe(`DESK-00${index + 1}`)
  }
  expect((await call('GET', '/api/positions', 'desk')).body.positions).toEqual([])

  expect((await call('POST', '/api/trading-state', 'osaka', { state: 'HALTED' })).status).toBe(200)
  const { engines } = (await call('GET', '/api/engines', 'desk')).body
  const tradingStates = engines.map((engine: Record<string, string>) => engine.trading_state)
  expect(tradingStates).toEqual(['ACTIVE', 'HALTED', ...NODES.slice(1).map(() => 'ACTIVE')])
})
