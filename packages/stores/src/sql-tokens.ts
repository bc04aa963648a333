export type TokenKind = 'word' | 'name' | 'text' | 'number' | 'comment' | 'sign' | 'space'

export interface Token {
  kind: TokenKind
  text: string
  /** Depth of enclosing parentheses. */
  depth: number
}

/** PostgreSQL's lexer, which DuckDB has too, or SQLite's. */
export type SqlDialect = 'postgresql' | 'sqlite'

type Patterns = readonly (readonly [TokenKind, RegExp])[]

/** What ends at the end of the text is not closed. */
const PATTERNS: Record<SqlDialect, Patterns> = {
  postgresql: [
    ['space', /\s+/y],
    ['comment', /--[^\n\r]*/y],
    ['text', /[eE]'(?:[^'\\]|\\[\s\S]|'')*(?:'|\\?$)/y],
    ['text', /(?:[bBxXnN]|[uU]&)?'(?:[^']|'')*(?:'|$)/y],
    ['text', /\$([\p{L}_][\p{L}\p{N}_]*)?\$[\s\S]*?(?:\$\1\$|$)/uy],
    ['name', /(?:[uU]&)?"(?:[^"]|"")*(?:"|$)/y],
    ['number', /\.?\d[\w.]*(?:(?<=[eE])[+-]\d+)?/y],
    ['word', /(?:[\p{L}_]|\$(?=\d))[\p{L}\p{N}_$]*/uy],
    ['sign', /::|:=|\.\.|(?:(?!--|\/\*)[-+*/<>=~!@#%^&|`?])+|[\s\S]/uy],
  ],
  sqlite: [
    ['space', /\s+/y],
    ['comment', /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y],
    ['text', /[xX]?'(?:[^']|'')*(?:'|$)/y],
    ['name', /"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)/y],
    ['number', /\.?\d[\w.]*(?:(?<=[eE])[+-]\d+)?/y],
    ['word', /[\p{L}_@$:#?][\p{L}\p{N}_$]*/uy],
    ['sign', /<>|<<|>>|<=|>=|==|!=|\|\||->>?|[\s\S]/uy],
  ],
}

/**
 * The tokens of SQL, for formatting and for finding a missing WHERE. Whether a statement may run is decided by the
 * store's own grammar, never here. The texts joined are the statement.
 */
export function tokensOf(sql: string, dialect: SqlDialect = 'sqlite'): Token[] {
  const tokens: Token[] = []
  let depth = 0
  for (let at = 0; at < sql.length; ) {
    const { kind, text } = tokenAt(sql, at, dialect)
    if (text === ')') depth = Math.max(0, depth - 1)
    tokens.push({ kind, text, depth })
    if (text === '(') depth += 1
    at += text.length
  }
  return tokens
}

/** The words outside parentheses, in capitals. */
export function outerWords(sql: string, dialect?: SqlDialect): string[] {
  return tokensOf(sql, dialect)
    .filter(({ kind, depth }) => kind === 'word' && depth === 0)
    .map(({ text }) => text.toUpperCase())
}

function tokenAt(sql: string, at: number, dialect: SqlDialect): { kind: TokenKind; text: string } {
  if (dialect === 'postgresql' && sql.startsWith('/*', at)) {
    return { kind: 'comment', text: sql.slice(at, endOfComment(sql, at)) }
  }
  for (const [kind, pattern] of PATTERNS[dialect]) {
    pattern.lastIndex = at
    const found = pattern.exec(sql)
    if (found !== null) return { kind, text: found[0] }
  }
  return { kind: 'sign', text: sql.charAt(at) }
}

/** Comments of PostgreSQL nest. */
function endOfComment(sql: string, from: number): number {
  const bounds = /\/\*|\*\//g
  bounds.lastIndex = from
  let depth = 0
  for (let bound = bounds.exec(sql); bound !== null; bound = bounds.exec(sql)) {
    depth += bound[0] === '/*' ? 1 : -1
    if (depth === 0) return bounds.lastIndex
  }
  return sql.length
}
