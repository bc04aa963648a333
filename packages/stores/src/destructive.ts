import { outerWords } from './sql-tokens.ts'

const VERBS = [
  'SELECT',
  'VALUES',
  'INSERT',
  'REPLACE',
  'UPDATE',
  'DELETE',
  'DROP',
  'TRUNCATE',
  'ALTER',
  'CREATE',
]

/** Describes a statement that needs a typed confirmation; undefined for all others. */
export function describeDestruction(sql: string, table: string): string | undefined {
  const words = outerWords(sql)
  // A word before AS is a name, such as a WITH clause called replace in SQLite.
  const verb = words.find((word, index) => VERBS.includes(word) && words[index + 1] !== 'AS')
  const isWithoutWhere = !words.includes('WHERE')
  if (verb === 'DROP') return `This drops '${table}' or a part of it.`
  if (verb === 'TRUNCATE') return `This empties '${table}'.`
  if (verb === 'ALTER' && words.includes('DROP')) return `This drops a part of '${table}'.`
  if (verb === 'DELETE' && isWithoutWhere) return `This deletes every row of '${table}'.`
  if (verb === 'UPDATE' && isWithoutWhere) return `This changes every row of '${table}'.`
  return undefined
}
