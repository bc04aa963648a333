export type TokenKind = 'word' | 'name' | 'text' | 'number' | 'comment' | 'sign' | 'space'

export interface Token {
  kind: TokenKind
  text: string
  /** Depth of enclosing parentheses. */
  depth: number
}

const PATTERNS: readonly (readonly [TokenKind, RegExp])[] = [
  ['space', /\s+/y],
  ['comment', /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y],
  ['text', /'(?:[^']|'')*(?:'|$)/y],
  ['name', /"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)/y],
  ['number', /\d[\w.]*(?:[eE][+-]?\d+)?/y],
  ['word', /[\p{L}_@$:#?][\p{L}\p{N}_$]*/uy],
  ['sign', /<>|<=|>=|!=|\|\||::|->>?|[\s\S]/uy],
]

/**
 * The tokens of SQL, for formatting and for finding a missing WHERE. Whether a statement may run is decided by the
 * store's own grammar, never here. The texts joined are the statement.
 */
export function tokensOf(sql: string): Token[] {
  const tokens: Token[] = []
  let depth = 0
  for (let at = 0; at < sql.length; ) {
    const { kind, text } = tokenAt(sql, at)
    if (text === ')') depth = Math.max(0, depth - 1)
    tokens.push({ kind, text, depth })
    if (text === '(') depth += 1
    at += text.length
  }
  return tokens
}

/** The words outside parentheses, in capitals. */
export function outerWords(sql: string): string[] {
  return tokensOf(sql)
    .filter(({ kind, depth }) => kind === 'word' && depth === 0)
    .map(({ text }) => text.toUpperCase())
}

function tokenAt(sql: string, at: number): { kind: TokenKind; text: string } {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = at
    const found = pattern.exec(sql)
    if (found !== null) return { kind, text: found[0] }
  }
  return { kind: 'sign', text: sql.charAt(at) }
}
