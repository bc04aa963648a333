/** Code with which a module tries to change the language. Each must throw a TypeError. */

export const ATTACKS = {
  strings: 'String.prototype.startsWith = String.prototype.endsWith = () => true',
  patterns: 'RegExp.prototype.test = () => true; RegExp.prototype.exec = () => [".js"]',
  calls: 'Function.prototype.call = Function.prototype.apply = Reflect.apply = () => true',
  prototypes:
    'Object.assign(Object.prototype, { url: "node:os", format: "builtin", shortCircuit: true, href: "x" })',
  iteration: 'Array.prototype[Symbol.iterator] = function* () { yield "builtin" }',
  maps: 'Map.prototype.get = Map.prototype.has = () => "builtin"',
}

export const MORE_ATTACKS = {
  'way of printing': 'JSON.stringify = () => "{}"',
  'way every object is printed': 'Object.prototype.toJSON = () => "junk"',
  'text of every object': 'Object.prototype.toString = () => "junk"',
  'name of every error': 'TypeError.prototype.name = "junk"',
  time: 'Date.now = () => 0',
  'time of every date': 'Date.prototype.getTime = () => 0',
  chance: 'Math.random = () => 0',
  traces: 'Error.prepareStackTrace = (_, calls) => calls',
  promises: 'Promise.prototype.then = () => {}',
  generators: '(function* () {})().__proto__.__proto__.__proto__.next = () => ({ done: true })',
  iterators: '[][Symbol.iterator]().__proto__.next = () => ({ done: true })',
  'asynchronous functions': '(async () => {}).constructor.prototype.own = 1',
  'heirs of lists': 'Array.prototype.constructor = class extends Array {}',
  'global names': 'globalThis.JSON = {}',
}

/** Attempts to change what the engine computes with, its bars, its clock and its report. `bar` and `desk` are in scope. */
export const BACKTEST_ATTACKS = {
  'live flag': 'desk.isLive = true',
  'time of the desk': 'desk.now = 0',
  'position of the desk': 'desk.position = () => 5',
  'order function': 'desk.buy.call = () => {}',
  'functions of the desk': 'delete desk.sell',
  'more on the desk': 'desk.own = 1',
  'prototype of the desk': 'Object.getPrototypeOf(desk).bid = () => 1',
  'class of the desk': 'desk.constructor.prototype.ask = () => 1',
  'parent of the desk': 'if (!Reflect.setPrototypeOf(desk, {})) throw new TypeError()',
  'numbers of columns': 'Float64Array.prototype.fill = Float64Array.prototype.set = () => {}',
  'elements of columns': 'Object.getPrototypeOf(Float64Array.prototype)[0] = 1',
  'length of columns':
    'Object.defineProperty(Object.getPrototypeOf(Float64Array.prototype), "length", { get: () => 0 })',
  money: 'BigInt.prototype.toString = BigInt.asIntN = () => 0n',
  arithmetic: 'Math.round = Math.max = Math.floor = () => 0',
  numbers: 'Number.isSafeInteger = Number.isFinite = () => true',
  lists: 'Array.prototype.push = Array.prototype.map = () => []',
  keys: 'Object.keys = Object.entries = Object.freeze = () => []',
  symbols: 'Symbol.prototype.own = 1',
  'weak maps': 'WeakMap.prototype.get = () => {}',
  'getters of every object': 'Object.defineProperty(Object.prototype, "equity", { get: () => 1e9 })',
  'setters of every list': 'Object.defineProperty(Array.prototype, 0, { set() {} })',
  errors: 'Error.captureStackTrace = () => {}',
  caller: '(function own() { return own.caller.caller })()',
  arguments: '(function () { return arguments.callee.caller })()',
}

/** Attempts to reach what is outside the module. Each must throw, synchronously or by a rejected promise. */
export const REACHES = {
  process: '() => process',
  'process of the global object': '() => globalThis.process.exit()',
  'process by code': '() => new Function("return process")()',
  'process by the desk': '() => desk.buy.constructor("return process")()',
  require: '() => require("fs")',
  fetch: '() => fetch("http://127.0.0.1:1/")',
  timers: '() => setTimeout(() => {}, 0)',
  buffers: '() => Buffer.alloc(1)',
  'shared memory': '() => new SharedArrayBuffer(8)',
  'clock of the machine': '() => performance.now()',
  'web assembly': '() => WebAssembly.Module',
  eval: '() => eval("1")',
  'files of Node': '() => import("node:fs")',
  'files of Node by code': '() => new Function("return import(`node:fs`)")()',
  'loader of Node': '() => import("node:module")',
  engine: '() => import("@binnacle/engine")',
  'engine by its address': '() => import(ENGINE)',
  'folder above': '() => import("../admin.json")',
  'address of the engine': '() => import.meta.resolve("@binnacle/engine")',
}
