import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import type { Command, Outcome, StrategyId, StrategyView } from '@binnacle/engine'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test, vi } from 'vitest'
import { deskPaths } from '#testkit/desk-paths.ts'
import { silentLog } from '#testkit/silent-log.ts'
import { type DeskClient, startDeskClient } from './desk-client.ts'
import { startEngineThread } from './engine-thread.ts'

const PATIENCE = { timeout: 120_000, interval: 20 }
const EXAMPLE = readFileSync(join(import.meta.dirname, '../../../../sandbox/src/starter/example.ts'), 'utf8')
const HOLDS = `export const createStrategy = ({ parameters }) => ({
  onQuote(quote, desk) { desk.target(desk.quantityFor(parameters.value ?? 1000)) },
})`
const LOOPS = 'export const createStrategy = () => ({ onQuote() { for (;;) {} } })'
const WORKS_THEN_THROWS = `export const createStrategy = () => ({
  onQuote(quote, desk) {
    if (desk.orders().length > 0) throw new Error('enough')
    desk.buy(0.01, { price: quote.bid / 2 })
  },
})`

async function startDesk(folder: string): Promise<DeskClient> {
  const desk = await startDeskClient({ paths: deskPaths(folder), seed: 1, logger: silentLog })
  onTestFinished(() => desk.close())
  return desk
}

function modules(files: Record<string, string>): string {
  return temporaryFolder(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`strategies/${name}`, text])),
  )
}

async function accepted(desk: DeskClient, command: Command): Promise<Extract<Outcome, { ok: true }>> {
  const outcome = await desk.submit(command)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.reason))
  return outcome
}

async function startStrategy(desk: DeskClient, module: string, config = {}): Promise<StrategyId> {
  const named = { name: module, description: '', config: { module, warm_up_bars: 0, ...config } }
  const { strategy } = await accepted(desk, { type: 'AddStrategy', strategyType: 'custom', ...named })
  if (strategy === undefined) throw new Error('no strategy was added')
  await accepted(desk, { type: 'StartStrategy', strategy })
  return strategy
}

function shown(desk: DeskClient, id: StrategyId): StrategyView | undefined {
  return desk.views.strategies().find((strategy) => strategy.id === id)
}

test('[CUST-7] a module’s intents become orders and positions of its strategy', async () => {
  const desk = await startDesk(modules({ 'holds.ts': HOLDS }))
  const id = await startStrategy(desk, 'holds.ts')
  await vi.waitFor(() => expect(shown(desk, id)?.openPositions).toBe(1), PATIENCE)
  expect(shown(desk, id)).toMatchObject({ fills: 1, status: 'running' })
})

test('[CUST-7] [CUST-20] [CUST-19] new settings restart the module, and stopping ends it', async () => {
  const desk = await startDesk(modules({ 'holds.ts': HOLDS }))
  const id = await startStrategy(desk, 'holds.ts')
  await vi.waitFor(() => expect(shown(desk, id)?.openPositions).toBe(1), PATIENCE)
  const config = { module: 'holds.ts', warm_up_bars: 0, parameters: { value: 0 } }
  await accepted(desk, { type: 'ReconfigureStrategy', strategy: id, config })
  await vi.waitFor(() => expect(shown(desk, id)?.openPositions).toBe(0), PATIENCE)
  await accepted(desk, { type: 'StopStrategy', strategy: id })
  expect(shown(desk, id)).toMatchObject({ status: 'stopped', workingOrders: 0 })
})

test('[CUST-8] one that fails is marked with the reason, its orders are cancelled, and others go on', async () => {
  const desk = await startDesk(
    modules({ 'holds.ts': HOLDS, 'loops.ts': LOOPS, 'throws.ts': WORKS_THEN_THROWS, 'empty.ts': '' }),
  )
  const loops = await startStrategy(desk, 'loops.ts')
  const throws = await startStrategy(desk, 'throws.ts')
  const empty = await startStrategy(desk, 'empty.ts')
  const holds = await startStrategy(desk, 'holds.ts')
  await vi.waitFor(() => {
    expect(shown(desk, loops)).toMatchObject({
      status: 'error',
      reason: 'loops.ts did not answer within 1000 ms',
    })
    expect(shown(desk, throws)).toMatchObject({
      status: 'error',
      reason: 'throws.ts failed: Error: enough (throws.ts:3)',
    })
    expect(shown(desk, empty)).toMatchObject({
      status: 'error',
      reason: 'empty.ts failed: TypeError: it exports no function named createStrategy',
    })
    expect(shown(desk, throws)?.workingOrders).toBe(0)
    expect(shown(desk, holds)).toMatchObject({ openPositions: 1, status: 'running' })
  }, PATIENCE)
  const order = {
    instrument: 'BTCUSDT',
    side: 'BUY',
    orderType: 'LIMIT',
    quantity: '0.01',
    price: '1000',
  } as const
  await accepted(desk, { type: 'PlaceOrder', ...order })
})

test('[CUST-9] a name that is no module of the folder is refused with what it must be', async () => {
  const desk = await startDesk(modules({ 'mine.ts': HOLDS, 'other.md': '' }))
  const refusal = async (module: string) => {
    const named = { name: 'x', description: '', config: { module } }
    const outcome = await desk.submit({ type: 'AddStrategy', strategyType: 'custom', ...named })
    return outcome.ok ? null : outcome.reason
  }
  const name = 'must be a .ts or .js file in strategies/ of the data folder, such as example.ts'
  for (const module of ['../mine.ts', '/etc/passwd', 'other.md', '', '..', 'a/b.ts', 'mine.ts\0.ts']) {
    expect(await refusal(module)).toMatchObject({
      code: 'setting.invalid',
      parameter: 'module',
      requirement: name,
    })
  }
  expect(await refusal('gone.ts')).toMatchObject({
    parameter: 'module',
    requirement: 'No file gone.ts in strategies/. Found: mine.ts.',
  })
  expect(await refusal('mine.ts')).toBeNull()
})

test('[CUST-10] after a restart a custom strategy that ran runs again', async () => {
  const folder = modules({ 'holds.ts': HOLDS })
  const first = await startDeskClient({ paths: deskPaths(folder), seed: 1, logger: silentLog })
  const id = await startStrategy(first, 'holds.ts', { parameters: { value: 0 } })
  await first.close()
  const second = await startDesk(folder)
  expect(shown(second, id)?.status).toBe('running')
  const config = { module: 'holds.ts', warm_up_bars: 0, parameters: { value: 500 } }
  await accepted(second, { type: 'ReconfigureStrategy', strategy: id, config })
  await vi.waitFor(() => expect(shown(second, id)?.openPositions).toBe(1), PATIENCE)
})

test('[CUST-10] it also runs again when only the engine’s thread was started again', async () => {
  const workers: Worker[] = []
  const desk = await startDeskClient({
    paths: deskPaths(modules({ 'holds.ts': HOLDS })),
    seed: 1,
    logger: silentLog,
    startWorker: (options) => {
      const worker = startEngineThread(options)
      workers.push(worker)
      return worker
    },
  })
  onTestFinished(() => desk.close())
  const id = await startStrategy(desk, 'holds.ts', { parameters: { value: 0 } })
  await workers[0]?.terminate()
  const config = { module: 'holds.ts', warm_up_bars: 0, parameters: { value: 500 } }
  await vi.waitFor(() => accepted(desk, { type: 'ReconfigureStrategy', strategy: id, config }), PATIENCE)
  await vi.waitFor(() => expect(shown(desk, id)?.openPositions).toBe(1), PATIENCE)
})

test('[CUST-11] the example trades', async () => {
  const desk = await startDesk(modules({ 'example.ts': EXAMPLE }))
  const id = await startStrategy(desk, 'example.ts', { parameters: { bars: 2 } })
  await vi.waitFor(() => expect(shown(desk, id)?.fills).toBeGreaterThan(0), PATIENCE)
})
