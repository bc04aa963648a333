import { join } from 'node:path'
import type { Backtest } from '@binnacle/contract'
import { standardInstruments } from '@binnacle/engine'
import { expect, test, vi } from 'vitest'
import { recordedBars } from '#testkit/backtests.ts'
import { startProgram } from '#testkit/program.ts'
import { testEnvironment } from '#testkit/running-server.ts'
import { openCatalog } from '#trading/catalog/catalog.ts'

/** Every bar is played for this one, so that it is still under way when the server dies. */
const REQUEST = {
  strategy: { type: 'market_making', config: {} },
  instrument: 'BTCUSDT',
  from: '2026-01-05T00:00:00Z',
  to: '2026-12-01T00:00:00Z',
}

test('[BT-4] a backtest under way when the server is killed is interrupted after the restart, and the next one runs', async () => {
  const env = testEnvironment()
  const catalog = await openCatalog(join(env.BINNACLE_DATA ?? '', 'catalog'), standardInstruments())
  for (const bars of recordedBars(200_000)) await catalog.writeBars(bars)
  catalog.close()

  const first = startProgram(env)
  const { id } = await ask(await first.isUp(), '', REQUEST)
  const port = await first.isUp()
  await vi.waitUntil(async () => (await ask(port, `/${id}`)).status === 'running', { timeout: 120_000 })
  first.child.kill('SIGKILL')
  expect(await first.ended).toBe('SIGKILL')

  const second = startProgram(env)
  const again = await second.isUp()
  const left = await ask(again, `/${id}`)
  expect(left).toMatchObject({ status: 'interrupted', result: null })
  expect(left.error).toBe('The server stopped before this backtest ended. Run it again.')
  const short = await ask(again, '', { ...REQUEST, to: '2026-01-05T02:00:00Z' })
  const ended = await vi.waitUntil(
    async () => {
      const now = await ask(again, `/${short.id}`)
      return now.status === 'completed' && now
    },
    { timeout: 120_000 },
  )
  expect(ended.result?.bars).toBe(120)
})

async function ask(port: number, path: string, body?: object): Promise<Backtest> {
  const reply = await fetch(`http://localhost:${port}/api/nautilus/backtest${path}`, {
    ...(body && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  })
  expect(reply.ok).toBe(true)
  // Our own server's reply, which passed the contract on its way out.
  return (await reply.json()) as Backtest
}
