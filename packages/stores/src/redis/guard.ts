import type { StatementEffect } from '#driver.ts'
import { READ_COMMANDS } from '#redis/cost/read-commands.ts'
import { WRITE_COMMANDS } from '#redis/cost/write-commands.ts'
import { StoreRefusal } from '#store-refusal.ts'
import { parseCommand } from './command-text.ts'

export interface ClassifiedCommand extends StatementEffect {
  /** In capitals. */
  name: string
  args: Buffer[]
}

/** Classifies a command by two allow-lists. A command on neither is refused on every connection. */
export function classifyCommand(text: string, database: number): ClassifiedCommand {
  const [first = Buffer.alloc(0), ...args] = parseCommand(text)
  const name = first.toString('latin1').toUpperCase()
  const words = args.map((word) => word.toString('latin1').toUpperCase())
  if (READ_COMMANDS.has(name)) {
    checkWords(name, words)
    return { kind: 'read', name, args }
  }
  if (!WRITE_COMMANDS.has(name)) throw notOffered(name)
  if (name === 'COPY' && words.includes('DB')) throw notOffered('COPY … DB')
  const confirm = destructionOf(name, args.length, database)
  if (!name.startsWith('FLUSH')) return { kind: 'write', name, args, confirm }
  if (words.includes('SYNC')) throw notOffered(`${name} SYNC`)
  // The keys disappear at once either way. ASYNC frees the memory without blocking other clients.
  return { kind: 'write', name, args: [Buffer.from('ASYNC')], confirm }
}

/** Some arguments turn a reading command into a writing or blocking one. */
function checkWords(name: string, words: readonly string[]): void {
  const subcommands = SUBCOMMANDS[name]
  if (subcommands !== undefined && !subcommands.has(words[0] ?? ''))
    throw notOffered(`${name} ${words[0] ?? ''}`)
  // No reading command takes STORE. A key of that name cannot be read here.
  if (words.some((word) => word === 'STORE' || word === 'STOREDIST')) throw notOffered(`${name} … STORE`)
  if (name === 'XREAD' && words.includes('BLOCK')) throw notOffered('XREAD BLOCK')
}

function destructionOf(name: string, args: number, database: number): StatementEffect['confirm'] {
  const table = `db${database}`
  if (name === 'FLUSHALL')
    return { table: 'all databases', sentence: 'This deletes every key of all databases.' }
  if (name === 'FLUSHDB') return { table, sentence: `This deletes every key of ${table}.` }
  const isDeleting = name === 'DEL' || name === 'UNLINK'
  if (!isDeleting || args <= 1) return undefined
  return { table, sentence: `This deletes ${args} keys of ${table}.` }
}

const ALTERNATIVES: Record<string, string> = {
  KEYS: 'It blocks the server while it scans all keys. Use SCAN 0 MATCH … COUNT 1000.',
  'FLUSHDB SYNC':
    'It blocks the server until all memory is freed. Use FLUSHDB, which frees it in the background.',
  'FLUSHALL SYNC':
    'It blocks the server until all memory is freed. Use FLUSHALL, which frees it in the background.',
  SORT: 'Use SORT_RO, which cannot store.',
  SELECT: 'Each database is shown as a table. Set the number in the connection.',
}

function notOffered(name: string): StoreRefusal {
  const shown = /^[\w.…| -]{1,40}$/u.test(name) ? name : 'this'
  return new StoreRefusal(
    'store.refused',
    `${shown} is not supported here. ${ALTERNATIVES[name] ?? ''}`.trim(),
  )
}

/** Subcommands that only read. */
const SUBCOMMANDS: Readonly<Record<string, ReadonlySet<string>>> = {
  OBJECT: new Set(['ENCODING', 'FREQ', 'IDLETIME', 'REFCOUNT']),
  MEMORY: new Set(['USAGE', 'STATS']),
  COMMAND: new Set(['COUNT', 'DOCS', 'INFO', 'LIST', 'GETKEYS']),
  XINFO: new Set(['STREAM', 'GROUPS', 'CONSUMERS']),
}
