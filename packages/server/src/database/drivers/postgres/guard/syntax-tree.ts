import { loadModule, parseSync, SqlError } from 'libpg-query'
import { StoreRefusal } from '#database/drivers/store-refusal.ts'

/** A part of the tree that PostgreSQL's own grammar makes of a statement. */
export type TreeNode = Readonly<Record<string, unknown>>

export interface Found {
  /** The kind, such as SelectStmt, or the field the node stands in. */
  kind: string
  node: TreeNode
}

/** The one statement in a text, as its kind and its tree. */
export async function parseStatement(text: string): Promise<Found> {
  await loadModule()
  const statements = parse(text)
  const [first] = statements
  if (first === undefined) throw new StoreRefusal('store.refused', 'There is no statement in it.')
  if (statements.length > 1) {
    throw new StoreRefusal('store.refused', `One statement at a time, please; here are ${statements.length}.`)
  }
  const [kind = '', node] = Object.entries(Object(first))[0] ?? []
  return { kind, node: Object(node) }
}

/** Every node of the tree, the statement itself first. A long sum is a tree as deep: nothing here calls itself. */
export function* walk(statement: Found): Generator<Found> {
  const waiting = [statement]
  for (let found = waiting.pop(); found !== undefined; found = waiting.pop()) {
    yield found
    waiting.push(...partsOf(found.node))
  }
}

function partsOf(node: TreeNode): Found[] {
  return Object.entries(node).flatMap(([field, value]) => {
    const parts: unknown[] = Array.isArray(value) ? value : [value]
    return parts.filter(isNode).map((part) => ({ kind: field, node: part }))
  })
}

/** The texts of a list of names, as in `schema.function`. */
export function namesIn(list: unknown): string[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((item) => {
    const name: unknown = item?.String?.sval
    return typeof name === 'string' ? [name] : []
  })
}

function isNode(part: unknown): part is TreeNode {
  return typeof part === 'object' && part !== null
}

function parse(text: string): unknown[] {
  if (text.trim() === '') return []
  // The grammar is C: it would end the text at the first NUL, and what follows would be judged by nobody.
  if (text.includes('\0')) throw new StoreRefusal('store.refused', 'A statement cannot hold a NUL character.')
  try {
    return (parseSync(text).stmts ?? []).map(({ stmt }) => stmt)
  } catch (failure) {
    if (failure instanceof RangeError) throw new StoreRefusal('store.refused', 'It is nested too deeply.')
    if (!(failure instanceof SqlError)) throw failure
    throw new StoreRefusal(
      'store.refused',
      `This is no statement: ${failure.message}${placeOf(failure, text)}.`,
    )
  }
}

function placeOf({ sqlDetails }: SqlError, text: string): string {
  const at = sqlDetails?.cursorPosition ?? -1
  if (at < 0) return ''
  const before = text.slice(0, at).split('\n')
  return ` (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`
}
