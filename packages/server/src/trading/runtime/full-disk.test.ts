import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, test, vi } from 'vitest'
import { startProgram } from '#testkit/program.ts'

const canLimitFiles = spawnSync('prlimit', ['--version']).status === 0

test.skipIf(!canLimitFiles)(
  'a server whose files cannot grow halts trading with the reason; once they can, it writes again and trades when resumed',
  async () => {
    const program = startProgram({
      BINNACLE_DATA: join(temporaryFolder(), 'data'),
      BINNACLE_SITE: 'none',
      BINNACLE_TRADING_PORT: '0',
      BINNACLE_ADMIN_PORT: '0',
      BINNACLE_DATABASE_PORT: '0',
      BINNACLE_HISTORY_DAYS: '0',
    })
    const url = `http://localhost:${await program.isUp()}`
    const get = async (path: string) => (await fetch(`${url}${path}`)).json()
    const post = (path: string, body: object) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const limitFiles = (bytes: string) =>
      execFileSync('prlimit', ['--pid', String(program.child.pid), `--fsize=${bytes}:unlimited`])

    expect((await post('/api/orders', ORDER)).status).toBe(201)
    limitFiles('4096')
    await vi.waitFor(async () => expect((await post('/api/orders', ORDER)).status).toBe(503), PATIENCE)
    expect(await get('/api/trading-state')).toMatchObject({
      state: 'HALTED',
      reason: expect.stringMatching(/^Trading stopped itself: (disk I\/O error|database or disk is full)\.$/),
    })
    expect(await get('/api/engine/info')).toMatchObject({ status: 'halted', is_running: false })

    limitFiles('unlimited')
    await vi.waitFor(
      async () => expect(await get('/api/engine/info')).toMatchObject({ status: 'running' }),
      PATIENCE,
    )
    expect(await get('/api/trading-state')).toMatchObject({
      state: 'HALTED',
      reason: expect.stringMatching(/^The engine stopped itself: /),
    })
    expect(await (await post('/api/orders', ORDER)).json()).toMatchObject({
      status: 'REJECTED',
      reason: { code: 'trading.halted' },
    })
    await post('/api/trading-state', { state: 'ACTIVE' })
    expect(await (await post('/api/orders', ORDER)).json()).toMatchObject({ status: 'PENDING' })
  },
)

const PATIENCE = { timeout: 120_000, interval: 50 }

/** Far below any market, so that it works until it is cancelled. */
const ORDER = { instrument: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: 0.001, price: 100 }
