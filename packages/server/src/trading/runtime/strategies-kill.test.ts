import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { startProgram } from '#testkit/program.ts'
import { testEnvironment } from '#testkit/running-server.ts'

const TYPES = ['momentum', 'mean_reversion', 'arbitrage', 'market_making', 'momentum']

async function call<Reply>(port: number, method: string, path: string, body?: object): Promise<Reply> {
  const json = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const reply = await fetch(`http://localhost:${port}${path}`, { method, ...json })
  // Other tests say what these calls answer.
  return reply.json() as Promise<Reply>
}

interface Listed {
  id: string
  status: string
  performance: { fills: number; net_realized_pnl: string }
}

const listed = async (port: number) =>
  (await call<{ strategies: Listed[] }>(port, 'GET', '/api/strategies')).strategies

const fillsOf = async (port: number) =>
  (await listed(port)).reduce((sum, { performance }) => sum + performance.fills, 0)

const until = (condition: () => Promise<void>) => vi.waitFor(condition, { timeout: 120_000, interval: 200 })

test('[STRAT-18] killed while five strategies trade, the server starts with all five running and no result lost', async () => {
  const env = testEnvironment()
  const first = startProgram(env)
  const port = await first.isUp()
  for (const [index, type] of TYPES.entries()) {
    // Quick ones, so that there is something to lose after some seconds.
    const quick = type === 'momentum' ? { fast_bars: 1, slow_bars: 2, threshold_bps: 0 } : {}
    const { id } = await call<Listed>(port, 'POST', '/api/strategies', {
      name: `${type} ${index}`,
      type,
      description: '',
      config: quick,
    })
    await call(port, 'POST', `/api/strategies/${id}/start`)
  }
  await until(async () => expect(await fillsOf(port)).toBeGreaterThan(5))
  const before = await fillsOf(port)
  first.child.kill('SIGKILL')
  expect(await first.ended).toBe('SIGKILL')

  const second = startProgram(env)
  const again = await second.isUp()
  const after = await listed(again)
  expect(after.map(({ status }) => status)).toEqual(TYPES.map(() => 'running'))
  expect(await fillsOf(again)).toBeGreaterThanOrEqual(before)
  const log = readFileSync(join(env.BINNACLE_DATA ?? '', 'logs', 'server.log'), 'utf8')
  expect(log).toContain('"event":"strategies.resumed"')
  const resumed = await fillsOf(again)
  await until(async () => expect(await fillsOf(again)).toBeGreaterThan(resumed))
  expect(second.stderr()).toBe('')
  expect(log).not.toMatch(/"level":50/)
})
