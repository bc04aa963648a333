import { globSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAllTests, temporaryFolder } from '@binnacle/stores/testkit'
import { beforeAll, expect, test } from 'vitest'
import { runningServer } from '#testkit/running-server.ts'

/** A data folder written by version 1.0.0, with each file compressed. */
const OLD_FOLDER = join(import.meta.dirname, 'testkit', 'data-1.0.0')

const atEnd = afterAllTests()
let address: string

beforeAll(async () => {
  const dataFolder = join(temporaryFolder({}, atEnd), 'data')
  await mkdir(dataFolder, { mode: 0o700 })
  for (const file of globSync(`${OLD_FOLDER}/*.gz`)) {
    await writeFile(join(dataFolder, basename(file, '.gz')), gunzipSync(readFileSync(file)), { mode: 0o600 })
  }
  const server = await runningServer({ BINNACLE_DATA: dataFolder }, atEnd)
  address = `http://localhost:${server.ports.trading}`
})

test('[START-3] orders of an older data folder are all there, with fills, fees and reasons', async () => {
  const { orders } = await get('/api/orders')
  const shown = orders.map(({ id, status, filled_qty, average_price, fees }: Record<string, unknown>) => ({
    id,
    status,
    filled_qty,
    average_price,
    fees,
  }))
  expect(shown.toSorted(byId)).toEqual([
    { id: 'O-1', status: 'FILLED', filled_qty: 0.05, average_price: 60002.37, fees: 1.2000474 },
    { id: 'O-2', status: 'FILLED', filled_qty: 0.5, average_price: 3000.2, fees: 0.60004 },
    { id: 'O-3', status: 'PENDING', filled_qty: 0, average_price: null, fees: 0 },
    { id: 'O-4', status: 'FILLED', filled_qty: 0.02, average_price: 59998.75, fees: 0.47999 },
    { id: 'O-5', status: 'REJECTED', filled_qty: 0, average_price: null, fees: 0 },
    { id: 'O-6', status: 'FILLED', filled_qty: 0.03, average_price: 59997.33, fees: 0.53997597 },
  ])
  expect(orders.find(({ id }: { id: string }) => id === 'O-5').reason.numbers).toEqual({
    value: 300011.85,
    limit: 10000,
  })
})

test('[START-3] positions, limits and strategies of an older data folder are as they were', async () => {
  const { positions } = await get('/api/positions')
  expect(positions).toMatchObject([
    { id: 'P-1', side: 'LONG', quantity: 0.03, entry_price: 60002.37, realized_pnl: -0.0724 },
    { id: 'P-2', side: 'LONG', quantity: 0.5, entry_price: 3000.2, realized_pnl: 0 },
    { id: 'P-3', side: 'SHORT', quantity: 0.03, entry_price: 59997.33, realized_pnl: 0 },
  ])
  expect(await get('/api/risk/limits')).toMatchObject({
    max_order_size: 9000,
    max_position_size: 45000,
    max_daily_loss: 4000,
    max_positions: 8,
  })
  expect((await get('/api/strategies')).strategies).toMatchObject([
    { id: 'S-1', name: 'Old momentum', type: 'momentum', status: 'stopped', config: { fast_bars: 20 } },
  ])
})

test('[START-3] settings, users, connections and the audit chain of an older data folder open unchanged', async () => {
  const { settings } = await get('/api/admin/settings')
  expect(settings.find(({ key }: { key: string }) => key === 'system_name').value).toBe('Old desk')
  expect((await get('/api/admin/users')).users).toMatchObject([{ username: 'admin' }, { username: 'ada' }])
  const { connections } = await get('/api/db/connections')
  expect(connections.map(({ name }: { name: string }) => name)).toContain('Old pg')
  const { logs } = await get('/api/admin/audit-logs?limit=100')
  const old = logs.filter(({ id }: { id: number }) => id <= 11)
  expect(old).toHaveLength(11)
  expect(old[0].hash).toBe('68c7e7e3f7a965faf4138e9bb889de724741b0f1161c0020972410a740a6d2a4')
})

// The replies are compared with what version 1.0.0 answered, so the parsed JSON is used as it is.
async function get(path: string) {
  const reply = await fetch(`${address}${path}`)
  expect(reply.status).toBe(200)
  return JSON.parse(await reply.text())
}

function byId(one: { id: string }, other: { id: string }): number {
  return one.id.localeCompare(other.id)
}
