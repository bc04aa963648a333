import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { marketData } from '@binnacle/contract'
import { expect, test, vi } from 'vitest'
import { parseConfig } from '#config/config.ts'
import { type RunningServer, startServer } from '#server.ts'
import { runningServer, testEnvironment } from '#testkit/running-server.ts'

async function historyOf({ ports }: RunningServer): Promise<unknown> {
  const reply = await fetch(`http://127.0.0.1:${ports.trading}/api/nautilus/system-info`)
  const { history } = (await reply.json()) as { history?: unknown }
  return history
}

const untilDone = (server: RunningServer) =>
  vi.waitFor(async () => expect(await historyOf(server)).toEqual({ done: true, days: 1, of: 1 }), {
    timeout: 120_000,
    interval: 50,
  })

/** Starts a server, does something with it, ends it and returns its log. */
async function whileServing(
  env: Record<string, string>,
  act: (server: RunningServer) => Promise<void>,
): Promise<string> {
  const { dataFolder, ...config } = parseConfig(env)
  const server = await startServer({ dataFolder, ...config })
  await act(server).finally(() => server.close(0))
  return readFileSync(join(dataFolder, 'logs', 'server.log'), 'utf8')
}

test('[MKT-1] [MKT-7] a first start serves at once and generates its history meanwhile; history and market are served as one', async () => {
  const server = await runningServer({ BINNACLE_HISTORY_DAYS: '1' })
  expect(await historyOf(server)).toMatchObject({ of: 1 })
  await untilDone(server)
  expect(existsSync(join(server.dataFolder, 'catalog', 'bars', 'BTCUSDT', '1m'))).toBe(true)
  const get = async (call: string): Promise<unknown> =>
    (await fetch(`http://127.0.0.1:${server.ports.trading}/api/market/${call}`)).json()
  const tradesOf = async (instrument: string) =>
    marketData.trades.reply.parse(await get(`trades?instrument=${instrument}`)).trades
  await vi.waitFor(async () => expect((await tradesOf('BTCUSDT')).length).toBeGreaterThan(0), {
    timeout: 120_000,
  })
  const { bars } = marketData.bars.reply.parse(await get('bars?instrument=BTCUSDT&interval=1h&limit=5000'))
  expect(bars.length).toBeGreaterThanOrEqual(25)
  const { quotes } = marketData.quotes.reply.parse(await get('quotes'))
  // Those of the three connected venues.
  expect(quotes).toHaveLength(18)
  expect(await tradesOf('BTCUSDT.COINBASE')).toEqual([])
  expect(quotes[0]).toMatchObject({ instrument: 'BTCUSDT', change_percent: expect.any(Number) })
  expect(marketData.book.reply.parse(await get('book?instrument=BTCUSDT')).bids).toHaveLength(10)
})

test('a server that ends in the middle of it goes on at the next start, and a finished one is left alone; a damaged plan is named in the log', async () => {
  const env = { ...testEnvironment(), BINNACLE_HISTORY_DAYS: '1' }
  await whileServing(env, async () => {})
  await whileServing(env, untilDone)
  const log = await whileServing(env, async (server) => {
    expect(await historyOf(server)).toEqual({ done: true, days: 1, of: 1 })
  })
  expect(log.split('"history.done"')).toHaveLength(2)
  writeFileSync(join(parseConfig(env).dataFolder, 'catalog', 'history.json'), '{"version":')
  const later = await whileServing(env, async (server) => {
    expect(await historyOf(server)).toBeUndefined()
  })
  expect(later).toContain('history.json is damaged. Delete it and the folder bars beside it')
})

test('with 0 days there is no history and no word of it', async () => {
  const server = await runningServer({ BINNACLE_HISTORY_DAYS: '0' })
  expect(await historyOf(server)).toBeUndefined()
})
