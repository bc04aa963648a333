import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { atBar, EMPTY_DESK, ONE_BAR, startModule, TERMS } from '#testkit/custom-module.ts'
import { temporaryFolder } from '#testkit/temporary-folder.ts'

test('[CUST-1] [CUST-14] a module receives bars in decimals and places orders in them', async () => {
  const { child, printed } = await startModule(
    atBar(
      'console.log(bar, desk.position(), desk.ask()); desk.buy(0.5, { price: 49999.996 }); desk.target(-0.25); desk.cancel("O-1")',
    ),
  )
  expect(await child.deliver(ONE_BAR)).toEqual([
    { type: 'place', slot: 0, side: 'BUY', lots: 50_000, options: { price: 5_000_000 } },
    { type: 'target', slot: 0, lots: -25_000 },
    { type: 'cancel', orderId: 'O-1' },
  ])
  expect(printed).toEqual([
    "{ instrument: 'BTCUSDT', start: 60000, end: 120000, open: 0.01, high: 0.01, low: 0.01, close: 50000, volume: 0.00007 } 0 50001",
  ])
})

test('[CUST-1] a module receives quotes and sees its position and orders', async () => {
  const { child, printed } = await startModule(
    `export const createStrategy = () => ({ onQuote(quote, desk) {
      console.log(quote, desk.position(), desk.orders(), desk.quantityFor(100), desk.quantityFor(1))
      desk.sell(0.1, { price: quote.ask, timeInForce: 'IOC', reduceOnly: true })
      desk.buy(0.00001)
    } })`,
  )
  const order = { id: 'O-9', slot: 0, side: 'SELL', price: 5_000_200, quantity: 300, filled: 100 } as const
  const desk = { ...EMPTY_DESK, positions: [-200], orders: [order] }
  expect(await child.deliver({ ...ONE_BAR, bars: [], quotedSlots: [0], desk })).toEqual([
    {
      type: 'place',
      slot: 0,
      side: 'SELL',
      lots: 10_000,
      options: { price: 5_000_100, timeInForce: 'IOC', reduceOnly: true },
    },
  ])
  expect(printed).toEqual([
    "{ instrument: 'BTCUSDT', bid: 50000, ask: 50001 } -0.002 [ { id: 'O-9', instrument: 'BTCUSDT', side: 'SELL', price: 50002, quantity: 0.003, filled: 0.001 } ] 0.00199 0",
    'BUY 0.00001 BTCUSDT is below the minimum quantity 0.0001: not sent',
  ])
})

test('[CUST-2] time and chance are the market’s and the seed’s, the same in every run', async () => {
  const body = 'console.log(Date.now(), new Date().toISOString(), Math.random())'
  const first = await startModule(atBar(body))
  const second = await startModule(atBar(body))
  await first.child.deliver(ONE_BAR)
  await second.child.deliver(ONE_BAR)
  expect(first.printed).toEqual(second.printed)
  expect(first.printed[0]).toMatch(/^120000 1970-01-01T00:02:00.000Z 0\.\d+$/)
})

test('[CUST-2] a date that is written without a time is the market’s, in whatever way it is written', async () => {
  const { child, printed } = await startModule(
    atBar(`
      const format = new Intl.DateTimeFormat('en', { dateStyle: 'short', timeStyle: 'medium', timeZone: 'UTC' })
      const parts = format.formatToParts().map(({ value }) => value).join('')
      const own = format.format(new Date(0))
      console.log([format.format(), [undefined].map(format.format)[0], parts, own].join(' | '), Date.parse(Date()))`),
  )
  await child.deliver(ONE_BAR)
  const shown = '1/1/70, 12:02:00 AM'
  expect(printed).toEqual([`${[shown, shown, shown, '1/1/70, 12:00:00 AM'].join(' | ')} 120000`])
})

test('[CUST-3] of the past a module wants nothing', async () => {
  const { child, printed } = await startModule(atBar('console.log(desk.now, desk.isLive); desk.buy(1)'))
  expect(await child.deliver({ ...ONE_BAR, isLive: false })).toEqual([])
  expect(printed).toEqual(['120000 false'])
})

test('[CUST-29] a module cannot change its desk, and so sends nothing during warm-up', async () => {
  const { child, printed } = await startModule(
    atBar('try { desk.isLive = true } catch (thrown) { console.log(thrown.name) } desk.buy(1)'),
  )
  expect(await child.deliver({ ...ONE_BAR, isLive: false })).toEqual([])
  expect(printed).toEqual(['TypeError'])
})

test('[CUST-4] [CUST-16] a module finds nothing but the language, and imports nothing but its own folder', async () => {
  const { child, printed } = await startModule(
    `import other from './other.json' with { type: 'json' }
     export const createStrategy = () => ({ onBar() {
       console.log(other.level, ['process', 'fetch', 'require', 'setTimeout', 'WebSocket', 'WebAssembly', 'Buffer', 'performance']
         .filter((name) => name in globalThis))
     } })`,
  )
  await child.deliver(ONE_BAR)
  expect(printed).toEqual(['3 []'])
})

test.each([
  ['waits', atBar(''), ''],
  ['loops', atBar('for (;;) {}'), `void child.deliver(${JSON.stringify(ONE_BAR)}).catch(() => {})`],
])(
  '[CUST-5] the process of a module that %s ends with the server that started it',
  async (_what, text, act) => {
    const folder = temporaryFolder({ 'mine.ts': text })
    const options = JSON.stringify({ folder, module: 'mine.ts', terms: TERMS, limits: { answerMs: 600_000 } })
    const script = `
    import { startCustomChild } from ${JSON.stringify(join(import.meta.dirname, 'custom-child.ts'))}
    const child = await startCustomChild(${options})
    ${act}
    setTimeout(() => console.log('up'), 200)
    setInterval(() => {}, 1000)`
    const server = spawn(process.execPath, ['--input-type=module', '-e', script], { env: {} })
    onTestFinished(() => void server.kill('SIGKILL'))
    await once(server.stdout, 'data')
    const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim().split(' ')
    expect(children).toHaveLength(1)
    server.kill('SIGKILL')
    await vi.waitFor(() => expect(existsSync(`/proc/${children[0]}/fd/0`)).toBe(false), { timeout: 120_000 })
  },
)
