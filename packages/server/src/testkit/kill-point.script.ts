import fs, { promises } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { DatabaseSync } from 'node:sqlite'

/**
 * Loaded before a program of a test (killedBefore in program.ts), on its threads too: kills the process with SIGKILL right
 * before a call whose arguments match.
 */
const given = new URL(import.meta.url).searchParams
const name = given.get('call') ?? ''
const pattern = given.get('arguments') ?? ''
const owners: unknown[] = [promises, fs, DatabaseSync.prototype, net.Socket.prototype]

for (const owner of owners) {
  const calls = Object(owner)
  const original = calls[name]
  if (typeof original !== 'function') continue
  calls[name] = function (this: unknown, ...args: unknown[]) {
    if (args.some((arg) => new RegExp(pattern).test(String(arg)))) process.kill(process.pid, 'SIGKILL')
    return original.apply(this, args)
  }
}
syncBuiltinESMExports()
