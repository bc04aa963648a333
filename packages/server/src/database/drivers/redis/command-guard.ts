import type { CheckedStatement } from '../driver.ts'
import { StoreRefusal } from '../store-refusal.ts'
import { parseCommand } from './command-text.ts'
import { READING } from './cost/reading.ts'
import { WRITING } from './cost/writing.ts'
import { SUBCOMMANDS } from './subcommands.ts'

export interface JudgedCommand extends CheckedStatement {
  /** In capitals. */
  name: string
  args: Buffer[]
}

/** Decides what a command is by lists of known ones; what is on neither is refused on every connection. */
export function judgeCommand(text: string, database: number): JudgedCommand {
  const [first = Buffer.alloc(0), ...args] = parseCommand(text)
  const name = first.toString('latin1').toUpperCase()
  const words = args.map((word) => word.toString('latin1').toUpperCase())
  if (READING.has(name)) {
    checkWords(name, words)
    return { kind: 'read', name, args }
  }
  if (!WRITING.has(name)) throw notOffered(name)
  if (name === 'COPY' && words.includes('DB')) throw notOffered('COPY … DB')
  const confirm = harmOf(name, args.length, database)
  if (!name.startsWith('FLUSH')) return { kind: 'write', name, args, confirm }
  if (words.includes('SYNC')) throw notOffered(`${name} SYNC`)
  // The keys are gone at once either way; with this word others are served while their memory is freed.
  return { kind: 'write', name, args: [Buffer.from('ASYNC')], confirm }
}

/** A reading command can become another by its words. */
function checkWords(name: string, words: readonly string[]): void {
  const subcommands = SUBCOMMANDS[name]
  if (subcommands !== undefined && !subcommands.has(words[0] ?? ''))
    throw notOffered(`${name} ${words[0] ?? ''}`)
  // None that reads takes STORE; a key may still be called so, but not here.
  if (words.some((word) => word === 'STORE' || word === 'STOREDIST')) throw notOffered(`${name} … STORE`)
  if (name === 'XREAD' && words.includes('BLOCK')) throw notOffered('XREAD BLOCK')
}

function harmOf(name: string, args: number, database: number): CheckedStatement['confirm'] {
  const table = `db${database}`
  if (name === 'FLUSHALL')
    return { table: 'all databases', sentence: 'This deletes every key of all databases.' }
  if (name === 'FLUSHDB') return { table, sentence: `This deletes every key of ${table}.` }
  const isDeleting = name === 'DEL' || name === 'UNLINK'
  if (!isDeleting || args <= 1) return undefined
  return { table, sentence: `This deletes ${args} keys of ${table}.` }
}

const INSTEAD: Record<string, string> = {
  KEYS: 'It halts the server while it looks at every key; use SCAN 0 MATCH … COUNT 1000.',
  'FLUSHDB SYNC': 'It halts the server until all memory is freed; use FLUSHDB, which frees it beside.',
  'FLUSHALL SYNC': 'It halts the server until all memory is freed; use FLUSHALL, which frees it beside.',
  SORT: 'Use SORT_RO, which cannot store.',
  SELECT: 'Each database is a table here; a connection speaks to one of them.',
}

function notOffered(name: string): StoreRefusal {
  const shown = /^[\w.…| -]{1,40}$/u.test(name) ? name : 'this'
  return new StoreRefusal(
    'store.refused',
    `The command ${shown} is not run here. ${INSTEAD[name] ?? ''}`.trim(),
  )
}
