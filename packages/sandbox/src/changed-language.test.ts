import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ATTACKS, MORE_ATTACKS } from '#testkit/attacks.ts'
import { atBar, ONE_BAR, startModule } from '#testkit/custom-module.ts'
import { temporaryFolder } from '#testkit/temporary-folder.ts'

test('[CUST-4] [CUST-15] a module can change nothing of the language', async () => {
  const { child, printed } = await startModule(`
    const attacks = ${JSON.stringify({ ...ATTACKS, ...MORE_ATTACKS })}
    const isRefused = ([, attack]) => {
      try { new Function('"use strict";' + attack)() } catch (thrown) { return thrown instanceof TypeError }
    }
    const [refused, others] = [true, undefined].map((wanted) =>
      Object.entries(attacks).filter((attack) => isRefused(attack) === wanted).map(([what]) => what))
    ${atBar('console.log(refused.length, others)')}`)
  await child.deliver(ONE_BAR)
  expect(printed).toEqual(['20 []'])
})

test('[CUST-4] [CUST-15] a module that tries to is ended with the reason', async () => {
  await expect(startModule('Object.prototype.toJSON = () => "junk"')).rejects.toThrow(
    'mine.ts failed: TypeError: Cannot add property toJSON, object is not extensible (mine.ts:1)',
  )
})

/** What code of libraries does, older code too. */
const IDIOMS = `
  class Price { constructor(ticks) { this.ticks = ticks } }
  Price.prototype.toString = function () { return 'P' + this.ticks }
  const plain = {}
  plain.toString = () => 'plain'
  plain.constructor = Price
  const error = new RangeError('low')
  error.name = 'Mine'
  error.message = 'high'
  function Old(message) { this.message = message }
  Old.prototype = Object.create(Error.prototype)
  Old.prototype.constructor = Old
  Old.prototype.name = 'Old'
  class Newer extends TypeError { constructor(message) { super(message); this.name = 'Newer' } }
  function Base() {}
  function Heir() {}
  Heir.prototype = Object.create(Base.prototype, { constructor: { value: Heir, writable: true } })
  function Literal() {}
  Literal.prototype = {}
  Literal.prototype.constructor = Literal
  Literal.prototype.valueOf = () => 40
  class List extends Array { sum() { return this.reduce((sum, each) => sum + each, 0) } }
  class Counts extends Map { get(key) { return super.get(key) ?? 0 } }
  const named = () => 1
  named.toString = () => 'named'
  named.extra = 1
  const copied = Object.assign({}, { toString: () => 'copied', hasOwnProperty: 1 })
  const stamp = new Date(0)
  stamp.note = 'own'
  Error.stackTraceLimit = 5
  globalThis.library = { version: 2 }
  const said = [new Price(3), plain, error, new Old('gone'), new Newer('now'), new Heir().constructor.name, new Literal() + 2,
    List.from([1, 2]).map((each) => each * 2).sum(), new Counts().get('x'), named, copied, stamp.getTime(), library.version].join()`

test('[CUST-4] what libraries give their own objects and classes works as ever', async () => {
  const { child, printed } = await startModule(`${IDIOMS}\n${atBar('console.log(said, [1], new Map())')}`)
  await child.deliver(ONE_BAR)
  expect(printed).toEqual([
    'P3,plain,Mine: high,Old: gone,Newer: now,Heir,42,6,0,named,copied,0,2 [ 1 ] Map(0) {}',
  ])
})

/** Gets hold of the class of addresses where Node passes one by, and lets the second look at an address see another. */
const TWO_FACED = `
  const { defineProperty, getOwnPropertyDescriptor } = Object
  let Address
  defineProperty(Object.prototype, 'path', { configurable: true, get() { Address ??= Object(this).constructor } })
  await import('./other.json', { with: { type: 'json' } })
  delete Object.prototype.path
  const real = getOwnPropertyDescriptor(Address.prototype, 'href')
  let got = 0
  for (const looks of [1, 2, 3, 4]) {
    let left = looks
    const get = function () {
      const href = real.get.call(this)
      return href.includes('none') && left-- <= 0 ? 'node:module' : href
    }
    try { defineProperty(Address.prototype, 'href', { ...real, get }) } catch {}
    try { await import('./none' + looks + '.js'); got++ } catch {}
  }
  export const shown = Address.name + ' got ' + got`

/** Restored before the result is printed, so that only the attack itself can prevent it. */
const attacking = (attack: string) => `
  const { ownKeys, deleteProperty, defineProperty } = Reflect
  const { hasOwn } = Object
  const homes = [String.prototype, RegExp.prototype, Function.prototype, Reflect, Array.prototype, Map.prototype, Object.prototype]
  const saved = homes.map((home) => Object.getOwnPropertyDescriptors(home))
  ${attack}
  let got = 0
  try { await import('node:os'); got++ } catch {}
  try { await import('fs'); got++ } catch {}
  try { await import('node:child_process'); got++ } catch {}
  for (let i = 0; i < homes.length; i++) {
    const names = ownKeys(homes[i])
    for (let n = 0; n < names.length; n++) {
      if (!hasOwn(saved[i], names[n])) deleteProperty(homes[i], names[n])
      else defineProperty(homes[i], names[n], saved[i][names[n]])
    }
  }
  export const shown = 'got ' + got`

const ALL_ATTACKS = { ...ATTACKS, 'strings and patterns': `${ATTACKS.strings}; ${ATTACKS.patterns}` }

test.each([
  ['addresses', TWO_FACED, 'URL got 0'] as const,
  ...Object.entries(ALL_ATTACKS).map(([what, attack]) => [what, attacking(attack), 'got 0'] as const),
])(
  '[CUST-4] [CUST-16] even could it change the %s of the language, it would import nothing but its own folder',
  async (_what, text, shown) => {
    const ownFolder = pathToFileURL(join(import.meta.dirname, 'child', 'restrict-imports.ts')).href
    const folder = temporaryFolder({ 'mine.js': text, 'other.json': '{}' })
    const script = `
      import { restrictImports } from ${JSON.stringify(ownFolder)}
      restrictImports(${JSON.stringify(pathToFileURL(join(folder, '/')).href)})
      const { shown } = await import(${JSON.stringify(pathToFileURL(join(folder, 'mine.js')).href)})
      console.log(shown)`
    const args = ['--input-type=module', '--eval', script]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env: {} })
    expect(stdout.trim()).toBe(shown)
  },
)
