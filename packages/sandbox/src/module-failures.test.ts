import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { atBar, ONE_BAR, startModule } from '#testkit/custom-module.ts'

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
    'mine.ts failed: TypeError: onBar returned a promise; it must be synchronous',
  ],
  [
    'wants a nonsense quantity',
    atBar('desk.buy(NaN)'),
    'mine.ts failed: RangeError: quantity must be a finite number, not NaN (mine.ts:1)',
  ],
  [
    'wants too much at once',
    atBar('for (let i = 0; i < 51; i++) desk.cancel("O-1")'),
    'mine.ts failed: RangeError: more than 50 orders and cancels in one callback (mine.ts:1)',
  ],
  [
    'answers nonsense',
    atBar("desk.buy(1, { timeInForce: 'NEVER' })"),
    'mine.ts failed: RangeError: timeInForce must be GTC, IOC or FOK (mine.ts:1)',
  ],
  [
    'answers what cannot be printed',
    atBar('desk.buy(1, { reduceOnly: { toJSON() { throw 1 } } })'),
    'mine.ts failed: RangeError: reduceOnly must be true or false (mine.ts:1)',
  ],
  [
    'wants more than a number can hold',
    atBar('desk.target(1e300)'),
    'mine.ts failed: RangeError: quantity 1e+300 is too large (mine.ts:1)',
  ],
  [
    'wants a price below the smallest',
    atBar('desk.buy(1, { price: 0.001 })'),
    'mine.ts failed: RangeError: price 0.001 is below the tick size 0.01 (mine.ts:1)',
  ],
  [
    'cancels what is no order',
    atBar('desk.cancel("")'),
    'mine.ts failed: RangeError: cancel takes the id of an order, such as O-12 (mine.ts:1)',
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
    'mine.ts exceeded its memory limit (32 MB heap, 200 MB in total)',
  ],
  [
    'eats memory outside the heap',
    atBar('const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1))'),
    'mine.ts exceeded its memory limit (32 MB heap, 200 MB in total)',
  ],
  [
    'takes 4 GB at once',
    atBar('const all = new Uint8Array(4 * 2 ** 30).fill(1)'),
    'mine.ts exceeded its memory limit (32 MB heap, 200 MB in total)',
  ],
  [
    'wants too much over time',
    atBar('for (let i = 0; i < 50; i++) desk.buy(1); if (desk.now > 120004) throw 1'),
    'mine.ts submitted too many orders and cancels (burst 200, then 5/s)',
  ],
  [
    'prints without end',
    atBar('for (let i = 0; i < 1e5; i++) console.log("x".repeat(1e4)); throw new Error("enough")'),
    'mine.ts failed: Error: enough (mine.ts:1)',
  ],
])('[CUST-5] a module that %s is ended with the reason', async (_what, text, reason) => {
  // Only one that never answers is waited for in vain; the others may be slow on a slow machine.
  const patience = text.includes('for (;;) {}') ? 300 : 20_000
  const { child } = await startModule(text, { answerMs: patience, heapMb: 32, memoryMb: 200 })
  const asking = async () => {
    for (let at = 0; at < 6; at++) await child.deliver({ ...ONE_BAR, now: ONE_BAR.now + at })
  }
  await expect(asking()).rejects.toThrow(reason)
  await expect(child.deliver(ONE_BAR)).rejects.toThrow(reason)
})

test.skipIf(!existsSync('/proc/self/task'))(
  '[CUST-5] a module that eats memory after it has answered is ended before the next question',
  async () => {
    const before = new Set(children())
    const grow =
      'const all = []; for (;;) { await null; if (all.length < 30) all.push(new Uint8Array(1e7).fill(1)) }'
    const { child } = await startModule(atBar(`void (async () => { ${grow} })()`), { memoryMb: 200 })
    const [own] = children().filter((pid) => !before.has(pid))
    expect(await child.deliver(ONE_BAR)).toEqual([])
    await vi.waitFor(() => expect(existsSync(`/proc/${own}/fd/0`)).toBe(false), { timeout: 120_000 })
    await expect(child.deliver(ONE_BAR)).rejects.toThrow('mine.ts exceeded its memory limit')
  },
)

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
  ['[CUST-23] never ends its load', 'await new Promise(() => {})', 'mine.ts did not answer within 1500 ms'],
])('[CUST-6] a module that %s does not start, with the reason', async (_what, text, reason) => {
  await expect(startModule(text, { startMs: reason.includes('1500 ms') ? 1500 : 30_000 })).rejects.toThrow(
    reason,
  )
})

/** The processes that this one has started, from whichever thread. */
function children(): string[] {
  const lists = globSync('/proc/self/task/*/children').map((file) => readFileSync(file, 'utf8'))
  return lists.flatMap((list) => list.trim().split(' ')).filter((pid) => pid !== '')
}
