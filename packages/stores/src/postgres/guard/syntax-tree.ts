import { loadModule, parseSync, SqlError } from 'libpg-query'
import { StoreRefusal } from '#store-refusal.ts'

/** The fields of a node in libpg-query's syntax tree. */
export type NodeFields = Readonly<Record<string, unknown>>

export interface SyntaxNode {
  /** The node type, such as SelectStmt, or the name of the field that holds it. */
  kind: string
  node: NodeFields
}

/** Parses a text that must hold exactly one statement. */
export async function parseStatement(text: string): Promise<SyntaxNode> {
  await loadModule()
  const statements = parse(text)
  const [first] = statements
  if (first === undefined) throw new StoreRefusal('store.refused', 'Enter a statement.')
  if (statements.length > 1) {
    throw new StoreRefusal(
      'store.refused',
      `Only one statement can be run at a time (found ${statements.length}). Select one to run it.`,
    )
  }
  const [kind = '', node] = Object.entries(Object(first))[0] ?? []
  return { kind, node: Object(node) }
}

/** Every node of the tree, the statement itself first. Iterative, because a long expression is a deep tree. */
export function* walk(statement: SyntaxNode): Generator<SyntaxNode> {
  const waiting = [statement]
  for (let found = waiting.pop(); found !== undefined; found = waiting.pop()) {
    yield found
    waiting.push(...childrenOf(found.node))
  }
}

function childrenOf(node: NodeFields): SyntaxNode[] {
  return Object.entries(node).flatMap(([field, value]) => {
    const parts: unknown[] = Array.isArray(value) ? value : [value]
    return parts.filter(isNode).map((part) => ({ kind: field, node: part }))
  })
}

/** The parts of a qualified name such as `schema.function`. */
export function namesIn(list: unknown): string[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((item) => {
    const name: unknown = item?.String?.sval
    return typeof name === 'string' ? [name] : []
  })
}

function isNode(part: unknown): part is NodeFields {
  return typeof part === 'object' && part !== null
}

function parse(text: string): unknown[] {
  if (text.trim() === '') return []
  // The parser is C and ends the text at the first NUL; the rest would run unchecked.
  if (text.includes('\0'))
    throw new StoreRefusal('store.refused', 'A statement must not contain a NUL character.')
  try {
    return (parseSync(text).stmts ?? []).map(({ stmt }) => stmt)
  } catch (failure) {
    if (failure instanceof RangeError)
      throw new StoreRefusal('store.refused', 'The statement is nested too deeply.')
    if (!(failure instanceof SqlError)) throw failure
    throw new StoreRefusal('store.refused', describeSyntaxError(failure, text))
  }
}

function describeSyntaxError({ message, sqlDetails }: SqlError, text: string): string {
  if (message === 'syntax error at end of input') return 'This SQL is incomplete.'
  const sentence = message.charAt(0).toUpperCase() + message.slice(1).replace(' at or near ', ' near ')
  const at = sqlDetails?.cursorPosition ?? -1
  if (at < 0) return `${sentence}.`
  const before = text.slice(0, at).split('\n')
  return `${sentence}, line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}.`
}
