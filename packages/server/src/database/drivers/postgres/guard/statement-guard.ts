import type { CheckedStatement } from '#database/drivers/driver.ts'
import { StoreRefusal } from '#database/drivers/store-refusal.ts'
import { destructionIn } from './destruction.ts'
import { type CalledFunction, forbiddenFunction, functionsIn } from './functions.ts'
import { type Found, parseStatement, walk } from './syntax-tree.ts'

export interface JudgedStatement extends CheckedStatement {
  /** What it calls, to be looked up in the server's own catalogue. */
  functions: CalledFunction[]
  /** Whether EXPLAIN can be put before it. */
  isExplainable: boolean
}

/**
 * Decides by PostgreSQL's own grammar what a statement is. Refuses what is never run here; whether a
 * connection may write is for the caller to ask. An allow-list: what is not known is refused.
 */
export async function judgeStatement(text: string): Promise<JudgedStatement> {
  const statement = await parseStatement(text)
  const found = [...walk(statement)]
  const unknown = found.find(({ kind }) => /^[A-Z].*Stmt$/.test(kind) && !isOffered(kind))
  if (unknown !== undefined) throw notOffered(unknown.kind)
  const functions = functionsIn(found)
  const forbidden = functions.find(forbiddenFunction)
  if (forbidden !== undefined) throw notCallable(forbidden)
  const isExplainable = EXPLAINABLE.has(statement.kind)
  if (!writes(statement, found)) return { kind: 'read', functions, isExplainable }
  return { kind: 'write', confirm: destructionIn(found), functions, isExplainable }
}

function notCallable({ name }: CalledFunction): StoreRefusal {
  return new StoreRefusal(
    'store.refused',
    `The function ${name} reaches beyond the data and is not run here.`,
  )
}

const READING = new Set(['SelectStmt', 'ExplainStmt', 'VariableShowStmt'])
const EXPLAINABLE = new Set(['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt'])

/** What a writable connection offers besides. No DO, no functions and triggers: nobody can see what they would do. */
const WRITING = new Set([
  'InsertStmt',
  'UpdateStmt',
  'DeleteStmt',
  'MergeStmt',
  'TruncateStmt',
  'CreateStmt',
  'CreateTableAsStmt',
  'CreateSchemaStmt',
  'CreateSeqStmt',
  'CreateEnumStmt',
  'CreateDomainStmt',
  'CreateRangeStmt',
  'CompositeTypeStmt',
  'CreateStatsStmt',
  'ViewStmt',
  'IndexStmt',
  'AlterTableStmt',
  'AlterSeqStmt',
  'AlterEnumStmt',
  'AlterDomainStmt',
  'AlterObjectSchemaStmt',
  'RenameStmt',
  'DropStmt',
  'CommentStmt',
  'RefreshMatViewStmt',
  'GrantStmt',
])

function isOffered(kind: string): boolean {
  return READING.has(kind) || WRITING.has(kind)
}

function writes(statement: Found, found: readonly Found[]): boolean {
  // A plan that is only drawn up changes nothing, whatever it is a plan of.
  if (statement.kind === 'ExplainStmt' && !isAnalysed(statement)) {
    return !EXPLAINABLE.has(Object.keys(Object(statement.node.query))[0] ?? '')
  }
  return found.some(({ kind, node }) => WRITING.has(kind) || 'intoClause' in node || 'lockingClause' in node)
}

/** Whatever value ANALYZE is given: 'off' has many spellings. */
function isAnalysed({ node }: Found): boolean {
  const options = Array.isArray(node.options) ? node.options : []
  return options.some((option) => option?.DefElem?.defname === 'analyze')
}

function notOffered(kind: string): StoreRefusal {
  const words = kind.replace(/Stmt$/, '').replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
  const sentence = `A statement of the kind ${words.toUpperCase()} is not run here: it acts on the server, not on the data.`
  return new StoreRefusal('store.refused', sentence)
}
