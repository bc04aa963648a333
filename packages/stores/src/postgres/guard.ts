import type { StatementEffect } from '#driver.ts'
import { findDestruction, type TableChange, tableChangesIn } from '#postgres/guard/destruction.ts'
import { type CalledFunction, functionsIn, isForbiddenFunction } from '#postgres/guard/functions.ts'
import { namesIn, parseStatement, type SyntaxNode, walk } from '#postgres/guard/syntax-tree.ts'
import { outerWords } from '#sql-tokens.ts'
import { StoreRefusal } from '#store-refusal.ts'

export interface ParsedStatement extends StatementEffect {
  text: string
  /** Tables of which rows may be changed or deleted. */
  changes: TableChange[]
  /** Functions that are or may be called, to be looked up in the server's catalogue. */
  functions: CalledFunction[]
  isExplainable: boolean
}

/**
 * Classifies a statement with PostgreSQL's own grammar. An allow-list: an unknown statement is refused. The caller
 * checks whether the connection may write.
 */
export async function classifyStatement(text: string): Promise<ParsedStatement> {
  const statement = await parseStatement(text)
  const found = [...walk(statement)]
  const unknown = found.find(({ kind }) => /^[A-Z].*Stmt$/.test(kind) && !isSupported(kind))
  if (unknown !== undefined) throw unsupportedStatement(unknown.kind, text)
  const functions = functionsIn(found)
  const forbidden = functions.find((called) => called.syntax === 'call' && isForbiddenFunction(called))
  if (forbidden !== undefined) throw notCallable(forbidden)
  const sample = found.find(({ kind, node }) => kind === 'RangeTableSample' && !isBuiltInSample(node))
  if (sample !== undefined) throw UNKNOWN_SAMPLE
  const isExplainable = EXPLAINABLE.has(statement.kind)
  const parts = { text, functions, isExplainable, changes: tableChangesIn(found) }
  if (!writes(statement, found)) return { ...parts, kind: 'read' }
  return { ...parts, kind: 'write', confirm: findDestruction(found) }
}

/** An attribute may have been meant as a column, so its refusal says how to write one. */
export function notCallable({ name, syntax }: CalledFunction): StoreRefusal {
  const subject = { call: 'function', attribute: 'function', operator: 'operator', cast: 'cast to' }[syntax]
  const sentence = `The ${subject} ${name} is not allowed here: it reaches files, settings or other sessions.`
  return new StoreRefusal(
    'store.refused',
    syntax === 'attribute' ? `${sentence} ${ATTRIBUTE_ADVICE}` : sentence,
  )
}

export const ATTRIBUTE_ADVICE = 'If it is a column, write its name without a table or expression before it.'

function isBuiltInSample({ method }: SyntaxNode['node']): boolean {
  const names = namesIn(method)
  return (
    ['bernoulli', 'system'].includes(names.at(-1) ?? '') && [undefined, 'pg_catalog'].includes(names.at(-2))
  )
}

const UNKNOWN_SAMPLE = new StoreRefusal(
  'store.refused',
  'Only the sampling methods BERNOULLI and SYSTEM are supported here.',
)

const READING = new Set(['SelectStmt', 'ExplainStmt', 'VariableShowStmt'])
const EXPLAINABLE = new Set(['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt'])

/** Allowed on a writable connection. Not DO, functions or triggers: their effects cannot be checked. */
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

function isSupported(kind: string): boolean {
  return READING.has(kind) || WRITING.has(kind)
}

function writes(statement: SyntaxNode, found: readonly SyntaxNode[]): boolean {
  // EXPLAIN without ANALYZE changes nothing.
  if (statement.kind === 'ExplainStmt' && !isAnalysed(statement)) {
    return !EXPLAINABLE.has(Object.keys(Object(statement.node.query))[0] ?? '')
  }
  return found.some(({ kind, node }) => WRITING.has(kind) || 'intoClause' in node || 'lockingClause' in node)
}

/** Any value of ANALYZE counts, because 'off' has many spellings. */
function isAnalysed({ node }: SyntaxNode): boolean {
  const options = Array.isArray(node.options) ? node.options : []
  return options.some((option) => option?.DefElem?.defname === 'analyze')
}

function unsupportedStatement(kind: string, text: string): StoreRefusal {
  const reason = REASONS[kind] ?? 'only statements that read or change data are'
  return new StoreRefusal('store.refused', `${commandOf(text)} is not supported here: ${reason}.`)
}

const REASONS: Readonly<Record<string, string>> = {
  TransactionStmt: 'each statement is its own transaction',
  VariableSetStmt: 'settings of the session are fixed',
  DoStmt: 'its effects cannot be checked before it runs',
  CreateFunctionStmt: 'its effects cannot be checked before it runs',
  CreateTrigStmt: 'its effects cannot be checked before it runs',
  CallStmt: 'its effects cannot be checked before it runs',
  CopyStmt: 'it reads or writes files of the server',
  VacuumStmt: 'use Optimize under Maintenance',
}

/** Words between CREATE and the kind of what is created. */
const FILLERS = new Set(['OR', 'REPLACE', 'CONSTRAINT', 'TRUSTED'])

/** The leading keywords of a statement, such as 'CREATE FUNCTION'. */
function commandOf(text: string): string {
  const [first = 'This statement', second = ''] = outerWords(text, 'postgresql').filter(
    (word) => !FILLERS.has(word),
  )
  return ['CREATE', 'ALTER', 'DROP', 'REFRESH', 'IMPORT', 'SECURITY'].includes(first)
    ? `${first} ${second}`.trim()
    : first
}
