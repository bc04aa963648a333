import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { parseConfig } from '#config/config.ts'
import { type RunningServer, startServer } from './server.ts'

const folder = mkdtempSync(join(tmpdir(), 'naut-server-'))
let server: RunningServer | undefined

beforeAll(async () => {
  server = await startServer(
    parseConfig({
      BINNACLE_DATA: folder,
      BINNACLE_HOST: '127.0.0.1',
      BINNACLE_SITE: 'none',
      BINNACLE_TRADING_PORT: '0',
      BINNACLE_ADMIN_PORT: '0',
      BINNACLE_DATABASE_PORT: '0',
      BINNACLE_ENGINE: 'nautilus',
      BINNACLE_TRADER_ID: 'DESK-007',
      BINNACLE_NAUTILUS_PYTHON: process.env.BINNACLE_NAUTILUS_PYTHON,
    }),
  )
})

afterAll(async () => {
  await server?.close(30_000)
  await rm(folder, { recursive: true })
})

async function call(
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  app: 'trading' | 'admin' = 'trading',
) {
  const reply = await fetch(`http://127.0.0.1:${server?.ports[app]}${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  return { status: reply.status, body: JSON.parse(await reply.text()) }
}

test('[NAUT-94] the console trades over a supervised NautilusTrader node, and its commands are in the audit log', async () => {
  await expect
    .poll(async () => (await call('GET', '/api/engine/info')).body)
    .toMatchObject({
      engine_type: 'nautilus-sandbox',
      trader_id: 'DESK-007',
      status: expect.stringMatching(/^running/),
    })
  // The feed begins with the node; the first quote may follow the start.
  const order = { instrument: 'BTCUSDT-PERP.SIM', side: 'BUY', type: 'MARKET', quantity: 0.01, price: 0 }
  await expect.poll(async () => (await call('POST', '/api/orders', order)).body.status).toBe('FILLED')
  const { positions } = (await call('GET', '/api/positions')).body
  expect(positions).toMatchObject([{ instrument: 'BTCUSDT-PERP.SIM', side: 'LONG' }])
  expect((await call('POST', `/api/positions/${positions[0].id}/close`)).status).toBe(200)
  expect((await call('GET', '/api/capabilities')).body.capabilities).toContain('performance')
  expect((await call('GET', '/api/performance?period=1D')).status).toBe(200)
  const { logs } = (await call('GET', '/api/admin/audit-logs', undefined, 'admin')).body
  expect(logs.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining(['orders.place', 'positions.close']),
  )
})

const TYPES = [
  { type: 'momentum', config: { fast_bars: 3, slow_bars: 8, threshold_bps: 0 } },
  { type: 'arbitrage', config: { min_profit_bps: 0 } },
  { type: 'mean_reversion', config: {} },
  { type: 'market_making', config: {} },
]

test.each(TYPES.slice(0, inject('generated').counts.nodeBacktests))(
  "[NAUT-160] a $type strategy is backtested by NautilusTrader over the node's recorded bars",
  async ({ type, config }) => {
    expect((await call('GET', '/api/capabilities')).body.capabilities).toContain('backtesting')
    const { recorded } = (await call('GET', '/api/nautilus/backtests/recorded')).body
    const { from } = recorded.find(
      ({ instrument }: { instrument: string }) => instrument === 'BTCUSDT-PERP.SIM',
    )
    const to = new Date(Date.parse(from) + 600 * 60_000).toISOString()
    const queued = await call('POST', '/api/nautilus/backtest', { strategy: { type, config }, from, to })
    expect(queued).toMatchObject({
      status: 202,
      body: { engine_version: expect.stringContaining('nautilus_trader') },
    })
    const read = async () => (await call('GET', `/api/nautilus/backtest/${queued.body.id}`)).body
    await expect.poll(async () => (await read()).status).toMatch(/^(completed|failed)$/)
    const run = await read()
    expect(run).toMatchObject({
      status: 'completed',
      error: null,
      data_fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      result: { bars: 600, approximations: expect.arrayContaining(['Funding is not simulated.']) },
    })
    expect(run.result.equity_curve.at(-1).equity).toBe(run.result.final_equity)
    if (type === 'momentum') expect(run.result.trades_total).toBeGreaterThan(5)
  },
)

test.each(['momentum', 'mean_reversion', 'market_making', 'arbitrage'])(
  '[NAUT-95] a %s strategy is added, started, stopped and removed over NautilusTrader',
  async (type) => {
    const added = await call('POST', '/api/strategies', { name: type, type, description: '', config: {} })
    expect(added).toMatchObject({ status: 201, body: { status: 'stopped', type } })
    const path = `/api/strategies/${added.body.id}`
    expect(await call('POST', `${path}/start`)).toMatchObject({ status: 200 })
    const statusOf = async () => {
      const { strategies } = (await call('GET', '/api/strategies')).body
      return strategies.find(({ id }: { id: string }) => id === added.body.id)?.status
    }
    await expect.poll(statusOf).toBe('running')
    expect((await call('POST', `${path}/stop`)).status).toBeLessThan(300)
    await expect.poll(statusOf).toBe('stopped')
  },
)

/** Processes of backtests that this server has started. */
async function backtestProcesses(): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args='])
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent] = line.trim().split(/\s+/).map(Number)
    return parent === process.pid && line.includes('nautilus_bridge.backtest_worker') ? (pid ?? []) : []
  })
}

/** Kills the processes of a run as they appear, so many of them; returns the record of the run. */
async function runWithKills(kills: number) {
  const { recorded } = (await call('GET', '/api/nautilus/backtests/recorded')).body
  const [{ from, to }] = recorded
  const strategy = { type: 'momentum', config: { fast_bars: 3, slow_bars: 8, threshold_bps: 0 } }
  const queued = await call('POST', '/api/nautilus/backtest', { strategy, from, to })
  const killed = new Set<number>()
  for (;;) {
    for (const pid of await backtestProcesses()) {
      if (killed.has(pid) || killed.size === kills) continue
      process.kill(pid, 'SIGKILL')
      killed.add(pid)
    }
    const run = (await call('GET', `/api/nautilus/backtest/${queued.body.id}`)).body
    if (run.status === 'completed' || run.status === 'failed') return { run, killed: killed.size }
  }
}

const KILLS = [
  { kills: 1, status: 'completed', error: null },
  {
    kills: 2,
    status: 'failed',
    error: expect.stringContaining('ended twice without a result, last with SIGKILL'),
  },
]

test.each(KILLS.slice(0, inject('generated').counts.backtestKills))(
  '[NAUT-177] a run whose NautilusTrader process is killed $kills times is $status',
  async ({ kills, status, error }) => {
    // A process that had its result before the kill is no case of this.
    const attempt = async () => {
      const { run, killed } = await runWithKills(kills)
      return killed === kills ? { status: run.status, error: run.error } : 'not killed'
    }
    await expect.poll(attempt).toEqual({ status, error })
  },
)
