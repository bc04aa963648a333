import { Lexer, type MarkedToken, type Token } from 'marked'

export interface Heading {
  /** GitHub's anchor of the heading, so one link works there and here. */
  id: string
  level: 2 | 3 | 4
  text: string
}

export interface Document {
  tokens: readonly MarkedToken[]
  headings: ReadonlyMap<MarkedToken, Heading>
}

export function parseMarkdown(text: string): Document {
  const tokens = known(new Lexer({ gfm: true }).lex(text))
  return { tokens, headings: collectHeadings(tokens) }
}

/** The lexer runs without extensions, so it emits marked's own token types only; `Token` also allows generic ones. */
export function known(tokens: readonly Token[]): readonly MarkedToken[] {
  // See above: no extension adds another type.
  return tokens as readonly MarkedToken[]
}

/** The text without its markup. */
export function plainText(tokens: readonly Token[]): string {
  return known(tokens)
    .map((token) => {
      if ('tokens' in token && token.tokens) return plainText(token.tokens)
      return 'text' in token ? token.text : ''
    })
    .join('')
}

function collectHeadings(tokens: readonly MarkedToken[]): Map<MarkedToken, Heading> {
  const headings = new Map<MarkedToken, Heading>()
  const uses = new Map<string, number>()
  for (const token of tokens) {
    if (token.type !== 'heading') continue
    const text = plainText(token.tokens)
    const slug = slugOf(text)
    const count = uses.get(slug) ?? 0
    uses.set(slug, count + 1)
    headings.set(token, {
      id: count === 0 ? slug : `${slug}-${count}`,
      level: levelOf(token.depth),
      text,
    })
  }
  return headings
}

/** The screen has the only h1, so `#` and `##` are both h2. */
function levelOf(depth: number): Heading['level'] {
  if (depth <= 2) return 2
  return depth === 3 ? 3 : 4
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}
