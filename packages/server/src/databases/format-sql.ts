import { type SqlDialect, StoreRefusal, type Token, tokensOf } from '@binnacle/stores'

/** Words that begin a new line. */
const CLAUSES = new Set([
  ...[
    'SELECT',
    'FROM',
    'WHERE',
    'GROUP',
    'HAVING',
    'ORDER',
    'LIMIT',
    'OFFSET',
    'UNION',
    'INTERSECT',
    'EXCEPT',
  ],
  ...['INSERT', 'VALUES', 'UPDATE', 'SET', 'DELETE', 'RETURNING', 'WITH', 'WINDOW', 'QUALIFY'],
])
const JOINS = new Set(['LEFT', 'RIGHT', 'FULL', 'INNER', 'CROSS', 'NATURAL', 'JOIN'])
const BRANCHES = new Set(['AND', 'OR', 'ON'])

const KEYWORDS = new Set([
  ...CLAUSES,
  ...JOINS,
  ...BRANCHES,
  ...[
    'AS',
    'ASC',
    'BETWEEN',
    'BY',
    'CASE',
    'CAST',
    'DESC',
    'DISTINCT',
    'ELSE',
    'END',
    'EXISTS',
    'IN',
    'INTO',
    'IS',
  ],
  ...['LIKE', 'NOT', 'NULL', 'OUTER', 'OVER', 'PARTITION', 'RECURSIVE', 'THEN', 'USING', 'WHEN', 'ALL'],
])

/**
 * Formats a statement: one clause per line, keywords in capitals. Nothing but spaces and the case of keywords changes;
 * throws a StoreRefusal where that cannot be kept.
 */
export function formatSql(sql: string, dialect: SqlDialect): string {
  const tokens = significantTokens(sql, dialect)
  let text = ''
  for (const [index, token] of tokens.entries()) {
    text += gap(tokens[index - 1], token) + textOf(token)
  }
  const isSame = isEqual(tokens.map(textOf), significantTokens(text, dialect).map(textOf))
  if (!isSame) throw CANNOT_BE_FORMATTED
  return text
}

const CANNOT_BE_FORMATTED = new StoreRefusal(
  'store.refused',
  'This SQL cannot be formatted without changing it, so it was left as it is.',
)

function significantTokens(sql: string, dialect: SqlDialect): Token[] {
  return tokensOf(sql, dialect).filter(({ kind }) => kind !== 'space')
}

function textOf(token: Token): string {
  return isKeyword(token) ? token.text.toUpperCase() : token.text
}

function isEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, index) => text === others[index])
}

function gap(before: Token | undefined, token: Token): string {
  if (before === undefined) return ''
  if (before.kind === 'comment' && before.text.startsWith('--')) return `\n${indent(token)}`
  // Texts on two lines are one constant in SQL, on one line they are an error.
  if (before.kind === 'text' && token.kind === 'text') return `\n${indent(token)}`
  const word = token.kind === 'word' ? token.text.toUpperCase() : ''
  if (CLAUSES.has(word) || startsJoin(word, before)) return `\n${indent(token)}`
  if (BRANCHES.has(word) && word !== 'ON') return `\n${indent(token)}  `
  return isTight(before, token) ? '' : ' '
}

function startsJoin(word: string, { text }: Token): boolean {
  return JOINS.has(word) && !JOINS.has(text.toUpperCase()) && text.toUpperCase() !== 'OUTER'
}

function isTight(before: Token, { text }: Token): boolean {
  if ([',', ')', ']', ';', '.', '::'].includes(text) || ['(', '[', '.', '::'].includes(before.text))
    return true
  if (text === '[' || text === ':' || before.text === ':') return true
  return text === '(' && before.kind === 'word' && !isKeyword(before)
}

function isKeyword({ kind, text }: Token): boolean {
  return kind === 'word' && KEYWORDS.has(text.toUpperCase())
}

function indent({ depth }: Token): string {
  return '  '.repeat(depth)
}
