import process from 'node:process'
import { formatWithOptions } from 'node:util'
import { freezeLanguage } from './frozen-language.ts'

const MOST_LINES = 20
const LONGEST_LINE = 500

/** The language, and no more: what Node adds to it could reach out, or differ from one run to the next. */
const KEPT = new Set([
  ...['globalThis', 'Infinity', 'NaN', 'undefined', 'Object', 'Function', 'Array', 'Number', 'parseFloat'],
  ...['parseInt', 'Boolean', 'String', 'Symbol', 'Date', 'Promise', 'RegExp', 'Error', 'AggregateError'],
  ...['EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError', 'JSON', 'Math'],
  ...['Intl', 'ArrayBuffer', 'Uint8Array', 'Int8Array', 'Uint16Array', 'Int16Array', 'Uint32Array'],
  ...['Int32Array', 'Float16Array', 'Float32Array', 'Float64Array', 'Uint8ClampedArray', 'BigUint64Array'],
  ...['BigInt64Array', 'DataView', 'Map', 'BigInt', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'Proxy'],
  ...[
    'Reflect',
    'Iterator',
    'decodeURI',
    'decodeURIComponent',
    'encodeURI',
    'encodeURIComponent',
    'isFinite',
  ],
  ...['isNaN', 'structuredClone'],
])

/** Should a module get hold of the process all the same: signals to others are beyond the permission model. */
const OF_OTHERS = ['kill', '_kill', '_debugProcess', '_debugEnd', 'dlopen', 'getBuiltinModule']

export interface Clock {
  now: number
}

/** What the module prints, until it is taken to the log: only so much of it. */
export interface Sayings {
  say(...values: unknown[]): void
  take(): string[]
}

export interface SealOptions {
  clock: Clock
  seed: number
  sayings: Sayings
}

/** Leaves the module the language, with time and chance that are the same in every run. */
export function sealGlobals({ clock, seed, sayings }: SealOptions): void {
  for (const name of Reflect.ownKeys(globalThis)) {
    if (typeof name === 'symbol' || !KEPT.has(name)) Reflect.deleteProperty(globalThis, name)
  }
  for (const name of OF_OTHERS) Reflect.deleteProperty(process, name)
  const { say } = sayings
  const console = { log: say, info: say, warn: say, error: say, debug: say }
  Object.assign(globalThis, { console, Date: dateOf(clock) })
  Math.random = createChance(seed)
  setFormats(clock)
  freezeLanguage([...KEPT])
}

export function createSayings(): Sayings {
  let lines: string[] = []
  let isCut = false
  return {
    say(...values) {
      isCut ||= lines.length === MOST_LINES
      if (isCut) return
      const line = formatWithOptions({ customInspect: false, depth: 3, breakLength: Infinity }, ...values)
      lines.push(line.slice(0, LONGEST_LINE))
    },
    take() {
      const taken = isCut ? [...lines, '…'] : lines
      lines = []
      isCut = false
      return taken
    },
  }
}

function dateOf(clock: Clock): DateConstructor {
  const Real = Date
  Real.now = () => clock.now
  const Sealed = new Proxy(Real, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [clock.now] : given, newTarget),
    apply: () => new Real(clock.now).toString(),
  })
  Real.prototype.constructor = Sealed
  return Sealed
}

/** A format that is given no time takes the system's. */
function setFormats(clock: Clock): void {
  const { prototype } = Intl.DateTimeFormat
  const { formatToParts } = prototype
  const format = Object.getOwnPropertyDescriptor(prototype, 'format')?.get
  Object.defineProperties(prototype, {
    formatToParts: {
      value(this: Intl.DateTimeFormat, time?: Date | number) {
        return formatToParts.call(this, time ?? clock.now)
      },
    },
    format: {
      get(this: Intl.DateTimeFormat) {
        const plain: Intl.DateTimeFormat['format'] = format?.call(this)
        return (time?: Date | number) => plain(time ?? clock.now)
      },
    },
  })
}

/** Mulberry32: small, and good enough for a strategy's dice. */
function createChance(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
