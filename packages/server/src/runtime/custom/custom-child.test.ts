import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import type { Heard } from './child/protocol.ts'
import { type ChildLimits, type CustomChild, startCustomChild } from './custom-child.ts'

// Each test starts a process, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const BTC = { id: 'BTCUSDT', venue: 'BINANCE', base: 'BTC', quote: 'USDT', minLots: 10 }
const INSTRUMENT = { ...BTC, tickUnits: 1_000_000, lotUnits: 1000 }
const DESK = { bids: [5_000_000], asks: [5_000_100], positions: [0], orders: [] }
const BAR = { slot: 0, start: 60_000, open: 1, high: 1, low: 1, close: 5_000_000, volume: 7 }
const ONE_BAR: Heard = { now: 120_000, isLive: true, bars: [BAR], quoted: [], desk: DESK }

const TERMS = { strategy: 'S-1', instruments: [INSTRUMENT], intervalMs: 60_000, parameters: {}, seed: 7 }

interface Started {
  child: CustomChild
  said: string[]
}

async function start(text: string, limits: Partial<ChildLimits> = {}, name = 'mine.ts'): Promise<Started> {
  const said: string[] = []
  const child = await startCustomChild({
    folder: temporaryFolder({ [name]: text, 'other.json': '{"level":3}' }),
    module: name,
    terms: {
      strategy: 'S-1',
      instruments: [INSTRUMENT],
      intervalMs: 60_000,
      parameters: { bars: 3 },
      seed: 7,
    },
    onSaid: (line) => said.push(line),
    limits,
  })
  onTestFinished(() => child.end())
  return { child, said }
}

/** A module that does this at every bar. */
const atBar = (body: string) => `export const createStrategy = () => ({ onBar(bar, desk) { ${body} } })`

test('[CUST-1] a module hears bars in decimals and asks for orders in them', async () => {
  const { child, said } = await start(
    atBar(
      'console.log(bar, desk.position(), desk.ask()); desk.buy(0.5, { price: 49999.996 }); desk.target(-0.25); desk.cancel("O-1")',
    ),
  )
  expect(await child.ask(ONE_BAR)).toEqual([
    { type: 'place', slot: 0, side: 'BUY', lots: 50_000, wish: { price: 5_000_000 } },
    { type: 'target', slot: 0, lots: -25_000 },
    { type: 'cancel', orderId: 'O-1' },
  ])
  expect(said).toEqual([
    "{ instrument: 'BTCUSDT', start: 60000, end: 120000, open: 0.01, high: 0.01, low: 0.01, close: 50000, volume: 0.00007 } 0 50001",
  ])
})

test('[CUST-1] a module hears quotes and sees its position and orders', async () => {
  const { child, said } = await start(
    `export const createStrategy = () => ({ onQuote(quote, desk) {
      console.log(quote, desk.position(), desk.orders(), desk.quantityFor(100), desk.quantityFor(1))
      desk.sell(0.1, { price: quote.ask, timeInForce: 'IOC', reduceOnly: true })
      desk.buy(0.00001)
    } })`,
  )
  const order = { id: 'O-9', slot: 0, side: 'SELL', price: 5_000_200, quantity: 300, filled: 100 } as const
  const desk = { ...DESK, positions: [-200], orders: [order] }
  expect(await child.ask({ ...ONE_BAR, bars: [], quoted: [0], desk })).toEqual([
    {
      type: 'place',
      slot: 0,
      side: 'SELL',
      lots: 10_000,
      wish: { price: 5_000_100, timeInForce: 'IOC', reduceOnly: true },
    },
  ])
  expect(said).toEqual([
    "{ instrument: 'BTCUSDT', bid: 50000, ask: 50001 } -0.002 [ { id: 'O-9', instrument: 'BTCUSDT', side: 'SELL', price: 50002, quantity: 0.003, filled: 0.001 } ] 0.00199 0",
    'BUY 0.00001 BTCUSDT is below the least, 0.0001: not sent',
  ])
})

test('[CUST-2] time and chance are the market’s and the seed’s, the same in every run', async () => {
  const body = 'console.log(Date.now(), new Date().toISOString(), Math.random())'
  const first = await start(atBar(body))
  const second = await start(atBar(body))
  await first.child.ask(ONE_BAR)
  await second.child.ask(ONE_BAR)
  expect(first.said).toEqual(second.said)
  expect(first.said[0]).toMatch(/^120000 1970-01-01T00:02:00.000Z 0\.\d+$/)
})

test('[CUST-3] of the past a module wants nothing', async () => {
  const { child, said } = await start(atBar('console.log(desk.now, desk.isLive); desk.buy(1)'))
  expect(await child.ask({ ...ONE_BAR, isLive: false })).toEqual([])
  expect(said).toEqual(['120000 false'])
})

test('[CUST-4] a module finds nothing but the language, and imports nothing but its own folder', async () => {
  const { child, said } = await start(
    `import other from './other.json' with { type: 'json' }
     export const createStrategy = () => ({ onBar() {
       console.log(other.level, ['process', 'fetch', 'require', 'setTimeout', 'WebSocket', 'WebAssembly', 'Buffer', 'performance']
         .filter((name) => name in globalThis))
     } })`,
  )
  await child.ask(ONE_BAR)
  expect(said).toEqual(['3 []'])
})

const ATTACKS = {
  strings: 'String.prototype.startsWith = String.prototype.endsWith = () => true',
  patterns: 'RegExp.prototype.test = () => true; RegExp.prototype.exec = () => [".js"]',
  calls: 'Function.prototype.call = Function.prototype.apply = Reflect.apply = () => true',
  prototypes:
    'Object.assign(Object.prototype, { url: "node:os", format: "builtin", shortCircuit: true, href: "x" })',
  iteration: 'Array.prototype[Symbol.iterator] = function* () { yield "builtin" }',
  maps: 'Map.prototype.get = Map.prototype.has = () => "builtin"',
}

/** Undone again before it tells, so that nothing but the attack is in the way of an answer. */
const attacking = (attack: string) => `
  const { ownKeys, deleteProperty, defineProperty } = Reflect
  const { hasOwn } = Object
  const homes = [String.prototype, RegExp.prototype, Function.prototype, Reflect, Array.prototype, Map.prototype, Object.prototype]
  const kept = homes.map((home) => Object.getOwnPropertyDescriptors(home))
  ${attack}
  let got = 0
  try { await import('node:os'); got++ } catch {}
  try { await import('fs'); got++ } catch {}
  try { await import('node:child_process'); got++ } catch {}
  for (let i = 0; i < homes.length; i++) {
    const names = ownKeys(homes[i])
    for (let n = 0; n < names.length; n++) {
      if (!hasOwn(kept[i], names[n])) deleteProperty(homes[i], names[n])
      else defineProperty(homes[i], names[n], kept[i][names[n]])
    }
  }
  export const createStrategy = () => { throw new Error('got ' + got) }`

const ALL_ATTACKS = { ...ATTACKS, 'strings and patterns': `${ATTACKS.strings}; ${ATTACKS.patterns}` }

test.each(Object.entries(ALL_ATTACKS))(
  '[CUST-4] a module that changes the %s of the language gets no further',
  async (_what, attack) => {
    await expect(start(attacking(attack))).rejects.toThrow(/^mine.ts failed: Error: got 0/)
  },
)

const ONLY = 'but it can only import .ts, .js and .json files of its own folder'

test.each([
  [
    'throws',
    atBar('\n\n null.x'),
    "mine.ts failed: TypeError: Cannot read properties of null (reading 'x') (mine.ts:3)",
  ],
  ['throws what is no error', atBar('throw { toString() { throw 1 } }'), 'mine.ts failed: nothing'],
  [
    'reads a system file',
    atBar('require("fs").readFileSync("/etc/passwd")'),
    'mine.ts failed: ReferenceError: require is not defined (mine.ts:1)',
  ],
  [
    'ends the process',
    atBar('process.exit(0)'),
    'mine.ts failed: ReferenceError: process is not defined (mine.ts:1)',
  ],
  [
    'reaches for the network',
    atBar('fetch("http://127.0.0.1:1/")'),
    'mine.ts failed: ReferenceError: fetch is not defined (mine.ts:1)',
  ],
  [
    'is asynchronous',
    atBar('return Promise.resolve()'),
    'mine.ts failed: TypeError: onBar returned a promise; it must be done when it returns',
  ],
  [
    'wants a nonsense quantity',
    atBar('desk.buy(NaN)'),
    'mine.ts failed: RangeError: a quantity of NaN makes no sense (mine.ts:1)',
  ],
  [
    'wants too much at once',
    atBar('for (let i = 0; i < 51; i++) desk.cancel("O-1")'),
    'mine.ts answered nonsense (intents: more than 50 wishes at once)',
  ],
  [
    'answers nonsense',
    atBar('Object.prototype.toJSON = () => "junk"'),
    'mine.ts answered nonsense (the whole: Invalid input: expected object, received string)',
  ],
  [
    'pollutes what it answers',
    atBar(`JSON.stringify = () => '{"__proto__":{"isOk":true},"number":1,"intents":[],"said":[]}'`),
    'mine.ts answered nonsense (the whole: Unrecognized key: "__proto__")',
  ],
  [
    'cannot be printed',
    atBar('Object.prototype.toJSON = () => ({ more: {} })'),
    'mine.ts failed: its answer could not be printed',
  ],
  [
    'drops a promise that fails',
    'export const createStrategy = () => { void Promise.reject(new Error("late")); return { onBar() {} } }',
    'mine.ts failed: Error: late (mine.ts:1)',
  ],
  ['loops for ever', atBar('for (;;) {}'), 'mine.ts did not answer within 300 ms'],
  [
    'eats memory',
    atBar('const all = []; for (;;) all.push(new Array(1e5).fill({}))'),
    'mine.ts used more memory than it may (32 MB of objects, 200 MB in all)',
  ],
  [
    'eats memory outside the heap',
    atBar('const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1))'),
    'mine.ts used more memory than it may (32 MB of objects, 200 MB in all)',
  ],
  [
    'takes 4 GB at once',
    atBar('const all = new Uint8Array(4 * 2 ** 30).fill(1)'),
    'mine.ts used more memory than it may (32 MB of objects, 200 MB in all)',
  ],
  [
    'wants too much over time',
    atBar('for (let i = 0; i < 50; i++) desk.buy(1); if (desk.now > 120004) throw 1'),
    'mine.ts wanted too much (200 orders and cancels in a row, then 5 a second)',
  ],
  [
    'prints without end',
    atBar('for (let i = 0; i < 1e5; i++) console.log("x".repeat(1e4)); throw new Error("enough")'),
    'mine.ts failed: Error: enough (mine.ts:1)',
  ],
])('[CUST-5] a module that %s is ended with the reason', async (_what, text, reason) => {
  // Only one that never answers is waited for in vain; the others may be slow on a slow machine.
  const patience = text.includes('for (;;) {}') ? 300 : 20_000
  const { child } = await start(text, { answerMs: patience, heapMb: 32, memoryMb: 200 })
  const asking = async () => {
    for (let at = 0; at < 6; at++) await child.ask({ ...ONE_BAR, now: ONE_BAR.now + at })
  }
  await expect(asking()).rejects.toThrow(reason)
  await expect(child.ask(ONE_BAR)).rejects.toThrow(reason)
})

test.each([
  [
    'does not parse',
    'export const a: number = 1\nexport const b = ( => 3',
    'mine.ts failed: SyntaxError: Expression expected (mine.ts:2)',
  ],
  [
    'imports a module of Node',
    'import net from "node:net"',
    `mine.ts failed: Error: it imports 'node:net', ${ONLY}`,
  ],
  ['imports a package', 'import zod from "zod"', `mine.ts failed: Error: it imports 'zod', ${ONLY}`],
  [
    'imports from above',
    'import a from "../admin.json"',
    `mine.ts failed: Error: it imports '../admin.json', ${ONLY}`,
  ],
  [
    'imports what is not there',
    'import a from "./gone.ts"',
    "mine.ts failed: Error: ENOENT: no such file or directory, open 'gone.ts'",
  ],
  [
    'imports late',
    'await (new Function("return import(`node:child_process`)"))()',
    `mine.ts failed: Error: it imports 'node:child_process', ${ONLY}`,
  ],
  [
    'exports nothing',
    'export const other = 1',
    'mine.ts failed: TypeError: it exports no function named createStrategy',
  ],
  [
    'makes no strategy',
    'export const createStrategy = () => 3',
    'mine.ts failed: TypeError: createStrategy must return an object with a function onBar, onQuote or both',
  ],
  ['loops while it is loaded', 'for (;;) {}', 'mine.ts did not answer within 1500 ms'],
])('[CUST-6] a module that %s does not start, with the reason', async (_what, text, reason) => {
  await expect(start(text, { startMs: text === 'for (;;) {}' ? 1500 : 30_000 })).rejects.toThrow(reason)
})

test.each([
  ['waits', atBar(''), ''],
  ['loops', atBar('for (;;) {}'), `void child.ask(${JSON.stringify(ONE_BAR)}).catch(() => {})`],
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
    await vi.waitFor(() => expect(existsSync(`/proc/${children[0]}/fd/0`)).toBe(false), { timeout: 20_000 })
  },
)
