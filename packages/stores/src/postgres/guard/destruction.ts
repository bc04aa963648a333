import pg from 'pg'
import type { StatementEffect } from '#driver.ts'
import { type NodeFields, namesIn, type SyntaxNode } from './syntax-tree.ts'

/** Finds a destructive part of a statement: drop, truncate, or a write without a row condition. */
export function findDestruction(found: readonly SyntaxNode[]): StatementEffect['confirm'] {
  for (const { kind, node } of found) {
    const destroyed = DESTROYED_BY[kind]?.(node)
    if (destroyed !== undefined && destroyed.names.length > 0) {
      const table = destroyed.names.join(', ')
      return { table, sentence: `This ${destroyed.verb} ${table}.` }
    }
  }
  return undefined
}

interface Destruction {
  verb: string
  names: string[]
}

const DESTROYED_BY: Record<string, (node: NodeFields) => Destruction | undefined> = {
  DropStmt: (node) => ({ verb: 'drops', names: objectsIn(node.objects) }),
  TruncateStmt: (node) => ({ verb: 'empties', names: relationsIn(node.relations) }),
  DeleteStmt: (node) =>
    affectsAllRows(node) ? { verb: 'deletes every row of', names: [nameOf(node.relation)] } : undefined,
  UpdateStmt: (node) =>
    affectsAllRows(node) ? { verb: 'changes every row of', names: [nameOf(node.relation)] } : undefined,
  // The condition of MERGE selects matches; it does not limit the rows.
  MergeStmt: (node) => ({ verb: 'merges into', names: [nameOf(node.relation)] }),
  AlterTableStmt: (node) =>
    dropsPart(node) ? { verb: 'drops a part of', names: [nameOf(node.relation)] } : undefined,
}

/** Without WHERE, or with one that uses no column. */
function affectsAllRows({ whereClause }: NodeFields): boolean {
  return whereClause === undefined || !JSON.stringify(whereClause).includes('"ColumnRef"')
}

function dropsPart({ cmds }: NodeFields): boolean {
  const commands = Array.isArray(cmds) ? cmds : []
  return commands.some((command) => /^AT_(Drop|Detach)/.test(String(command?.AlterTableCmd?.subtype)))
}

function objectsIn(objects: unknown): string[] {
  if (!Array.isArray(objects)) return []
  return objects.map((object) => {
    const list = object?.List?.items ?? object?.TypeName?.names ?? object?.ObjectWithArgs?.objname ?? [object]
    return namesIn(list).join('.') || 'it'
  })
}

function relationsIn(relations: unknown): string[] {
  return Array.isArray(relations) ? relations.map((relation) => nameOf(relation?.RangeVar)) : []
}

function nameOf(relation: unknown): string {
  const { schemaname, relname } = Object(relation)
  return schemaname === undefined ? String(relname) : `${schemaname}.${relname}`
}

/** Rows of a table that a statement may change or delete. */
export interface TableChange {
  verb: 'deletes' | 'changes'
  /** As the statement names it. */
  table: string
  /** Quoted, with its schema where the statement has one. */
  name: string
  /** The name in a FROM clause. */
  from: string
}

export function tableChangesIn(found: readonly SyntaxNode[]): TableChange[] {
  return found.flatMap(({ kind, node }) => {
    const verb = verbOf(kind, node)
    if (verb === undefined) return []
    const { schemaname, relname, inh } = Object(node.relation)
    const parts: unknown[] = schemaname === undefined ? [relname] : [schemaname, relname]
    const name = parts.map((part) => pg.escapeIdentifier(String(part))).join('.')
    return { verb, table: nameOf(node.relation), name, from: inh === true ? name : `ONLY ${name}` }
  })
}

function verbOf(kind: string, { onConflictClause }: NodeFields): TableChange['verb'] | undefined {
  if (kind === 'DeleteStmt') return 'deletes'
  const isUpsert = kind === 'InsertStmt' && Object(onConflictClause).action === 'ONCONFLICT_UPDATE'
  return kind === 'UpdateStmt' || isUpsert ? 'changes' : undefined
}
