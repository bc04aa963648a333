import { type Token, tokensOf } from '@binnacle/stores'

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

/** Formats a statement: one clause per line, keywords in capitals. Its meaning does not change. */
export function formatSql(sql: string): string {
  const tokens = tokensOf(sql).filter(({ kind }) => kind !== 'space')
  let text = ''
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1]
    text += gap(before, token)
    text += isKeyword(token) ? token.text.toUpperCase() : token.text
  }
  return text
}

function gap(before: Token | undefined, token: Token): string {
  if (before === undefined) return ''
  if (before.kind === 'comment' && before.text.startsWith('--')) return `\n${indent(token)}`
  const word = token.kind === 'word' ? token.text.toUpperCase() : ''
  if (CLAUSES.has(word) || startsJoin(word, before)) return `\n${indent(token)}`
  if (BRANCHES.has(word) && word !== 'ON') return `\n${indent(token)}  `
  return isTight(before, token) ? '' : ' '
}

function startsJoin(word: string, { text }: Token): boolean {
  return JOINS.has(word) && !JOINS.has(text.toUpperCase()) && text.toUpperCase() !== 'OUTER'
}

function isTight(before: Token, { text }: Token): boolean {
  if ([',', ')', ';', '.', '::'].includes(text) || ['(', '.', '::'].includes(before.text)) return true
  return text === '(' && before.kind === 'word' && !isKeyword(before)
}

function isKeyword({ kind, text }: Token): boolean {
  return kind === 'word' && KEYWORDS.has(text.toUpperCase())
}

function indent({ depth }: Token): string {
  return '  '.repeat(depth)
}
