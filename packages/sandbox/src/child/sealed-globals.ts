import process from 'node:process'
import { formatWithOptions } from 'node:util'
import { freezeLanguage } from './frozen-language.ts'

const MAX_LINES = 20
const LINE_MAX_CHARS = 500

/** The globals of the language. Those of Node are removed: they reach outside or differ between runs. */
const ALLOWED_GLOBALS = new Set([
  'globalThis',
  'Infinity',
  'NaN',
  'undefined',
  'Object',
  'Function',
  'Array',
  'Number',
  'parseFloat',
  'parseInt',
  'Boolean',
  'String',
  'Symbol',
  'Date',
  'Promise',
  'RegExp',
  'Error',
  'AggregateError',
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
  'JSON',
  'Math',
  'Intl',
  'ArrayBuffer',
  'Uint8Array',
  'Int8Array',
  'Uint16Array',
  'Int16Array',
  'Uint32Array',
  'Int32Array',
  'Float16Array',
  'Float32Array',
  'Float64Array',
  'Uint8ClampedArray',
  'BigUint64Array',
  'BigInt64Array',
  'DataView',
  'Map',
  'BigInt',
  'Set',
  'WeakMap',
  'WeakSet',
  'WeakRef',
  'Proxy',
  'Reflect',
  'Iterator',
  'decodeURI',
  'decodeURIComponent',
  'encodeURI',
  'encodeURIComponent',
  'isFinite',
  'isNaN',
  'structuredClone',
])

/** A second line of defence: the permission model does not restrict signals to other processes. */
const REMOVED_PROCESS_MEMBERS = ['kill', '_kill', '_debugProcess', '_debugEnd', 'dlopen', 'getBuiltinModule']

export interface Clock {
  now: number
}

/** What the module prints, up to a limit, until it is sent to the server's log. */
export interface ConsoleBuffer {
  print(...values: unknown[]): void
  take(): string[]
  clear(): void
}

export interface SealOptions {
  clock: Clock
  seed: number
  output: ConsoleBuffer
}

/** Leaves the module only the language, with a clock and a random generator that are the same in every run. */
export function sealGlobals({ clock, seed, output }: SealOptions): void {
  for (const name of Reflect.ownKeys(globalThis)) {
    if (typeof name === 'symbol' || !ALLOWED_GLOBALS.has(name)) Reflect.deleteProperty(globalThis, name)
  }
  for (const name of REMOVED_PROCESS_MEMBERS) Reflect.deleteProperty(process, name)
  const { print } = output
  const console = { log: print, info: print, warn: print, error: print, debug: print }
  Object.assign(globalThis, { console, Date: dateOf(clock) })
  Math.random = createChance(seed)
  setFormats(clock)
  freezeLanguage([...ALLOWED_GLOBALS])
}

export function createConsoleBuffer(): ConsoleBuffer {
  let lines: string[] = []
  let isCut = false
  return {
    print(...values) {
      isCut ||= lines.length === MAX_LINES
      if (isCut) return
      const line = formatWithOptions({ customInspect: false, depth: 3, breakLength: Infinity }, ...values)
      lines.push(line.slice(0, LINE_MAX_CHARS))
    },
    take() {
      const taken = isCut ? [...lines, '…'] : lines
      lines = []
      isCut = false
      return taken
    },
    clear() {
      if (lines.length > 0) lines = []
      isCut = false
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

/** Without an argument `format` uses the system's clock. */
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

/** Mulberry32: small, and sufficient for a strategy. */
function createChance(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
