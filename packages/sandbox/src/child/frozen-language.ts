/**
 * Freezes the given globals and everything reachable from them, so that a module cannot change what the runner and Node
 * use. Node's own flag, --frozen-intrinsics, turns every method into a getter and makes strategies two to three times
 * slower.
 */
export function freezeLanguage(names: readonly string[]): void {
  const found = new Set<object>()
  for (const name of names) gather(Reflect.get(globalThis, name), found)
  for (const hidden of hiddenOnes()) gather(hidden, found)
  // A module may have globals of its own.
  found.delete(globalThis)
  for (const home of [...found]) allowOverrides(home, found)
  for (const one of found) freezeOne(one)
  for (const name of names) Object.defineProperty(globalThis, name, FIXED)
}

const FIXED = { writable: false, configurable: false }

/** Intrinsics that no global reaches, such as the prototypes of generators and iterators. */
function hiddenOnes(): object[] {
  const generate = function* () {}
  const generateLater = async function* () {}
  const iterators = Object.getPrototypeOf(Object.getPrototypeOf([].values()))
  return [
    generate,
    generate(),
    generateLater,
    generateLater(),
    async () => {},
    [].values(),
    new Map().values(),
    new Set().values(),
    ''[Symbol.iterator](),
    ''.matchAll(/x/g),
    iterators.map.call([].values(), String),
    iterators.constructor.from({ next: () => ({ done: true }) }),
  ]
}

function gather(value: unknown, found: Set<object>): void {
  const isThing = (typeof value === 'object' && value !== null) || typeof value === 'function'
  if (!isThing || found.has(value)) return
  found.add(value)
  gather(Object.getPrototypeOf(value), found)
  for (const name of Reflect.ownKeys(value)) {
    const { value: held, get, set } = Object.getOwnPropertyDescriptor(value, name) ?? {}
    for (const one of [held, get, set]) gather(one, found)
  }
}

/**
 * A read-only inherited property cannot be assigned on a derived object; a setter allows it. Used only for properties
 * that ordinary code often overrides, as a getter is slower.
 */
function allowOverrides(home: object, found: Set<object>): void {
  for (const name of overriddenOf(home)) {
    const value: unknown = Reflect.get(home, name)
    const accessor = {
      get: () => value,
      set(this: object, given: unknown) {
        if (this === home) throw new TypeError(`Cannot assign to read only property '${name}'`)
        const own = { value: given, writable: true, enumerable: true, configurable: true }
        Object.defineProperty(this, name, own)
      },
    }
    Object.defineProperty(home, name, accessor)
    for (const half of [accessor.get, accessor.set]) gather(half, found)
  }
}

function overriddenOf(home: object): string[] {
  if (home === Function.prototype) return ['toString']
  if (isOfErrors(home)) return ['name', 'message', 'toString'].filter((name) => Object.hasOwn(home, name))
  if (home !== Object.prototype) return []
  return Object.getOwnPropertyNames(home).filter((name) => name !== 'constructor' && name !== '__proto__')
}

function freezeOne(one: object): void {
  const left = stillWritable(one)
  if (left === null) {
    Object.freeze(one)
    return
  }
  for (const name of Reflect.ownKeys(one)) {
    const isAccessor = Object.getOwnPropertyDescriptor(one, name)?.get !== undefined
    Object.defineProperty(one, name, isAccessor || name === left ? { configurable: false } : FIXED)
  }
  Object.preventExtensions(one)
}

/** Older code assigns `constructor` on its classes, and `util.inspect` reads it as a data property. */
function stillWritable(one: object): string | null {
  if (one === Error) return 'stackTraceLimit'
  return one === Object.prototype || isOfErrors(one) ? 'constructor' : null
}

function isOfErrors(home: object): boolean {
  return home === Error.prototype || home instanceof Error
}
