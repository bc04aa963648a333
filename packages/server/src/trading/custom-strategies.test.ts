import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { runningServer, type TestServer } from '#testkit/running-server.ts'

const PATIENCE = { timeout: 120_000, interval: 50 }

async function call({ ports }: TestServer, method: string, path: string, body?: object) {
  const reply = await fetch(`http://127.0.0.1:${ports.trading}${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  return { status: reply.status, body: await reply.json() }
}

const adding = (config: object) => ({ name: 'Mine', type: 'custom', description: '', config })

test('[CUST-8][CUST-11] a new server has the example, and a module that fails shows why in the list', async () => {
  const server = await runningServer()
  const folder = join(server.dataFolder, 'strategies')
  expect(readdirSync(folder)).toContain('example.ts')
  writeFileSync(
    join(folder, 'mine.ts'),
    'export const createStrategy = () => ({\n  onQuote() { nothing() },\n})',
  )
  const custom = expect.objectContaining({ type: 'custom', title: 'Custom' })
  expect(await call(server, 'GET', '/api/strategy-types')).toMatchObject({
    body: { strategy_types: expect.arrayContaining([custom]) },
  })
  const config = { module: 'mine.ts', warm_up_bars: 0 }
  expect(await call(server, 'POST', '/api/strategies', adding(config))).toMatchObject({ status: 201 })
  expect(await call(server, 'POST', '/api/strategies/S-1/start')).toMatchObject({ status: 200 })
  await vi.waitFor(async () => {
    const reason = 'mine.ts failed: ReferenceError: nothing is not defined (mine.ts:2)'
    const strategies = [{ id: 'S-1', status: 'error', reason }]
    expect(await call(server, 'GET', '/api/strategies')).toMatchObject({ body: { strategies } })
  }, PATIENCE)
  const order = { instrument: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: 0.001, price: 1000 }
  expect(await call(server, 'POST', '/api/orders', order)).toMatchObject({ status: 201 })
})

test('[CUST-9] an unknown module is refused with its field', async () => {
  const server = await runningServer()
  expect(await call(server, 'POST', '/api/strategies', adding({ module: '../journal.ts' }))).toMatchObject({
    status: 422,
    body: { code: 'strategy.refused', errors: [{ field: 'body.config.module' }] },
  })
})
