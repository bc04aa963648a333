import type { CheckedStatement } from '#database/drivers/driver.ts'
import { type Found, namesIn, type TreeNode } from './syntax-tree.ts'

/** What a writing statement would take away without saying of which rows, and from where. */
export function destructionIn(found: readonly Found[]): CheckedStatement['confirm'] {
  for (const { kind, node } of found) {
    const destroyed = DESTROYED_BY[kind]?.(node)
    if (destroyed !== undefined && destroyed.names.length > 0) {
      const table = destroyed.names.join(', ')
      return { table, sentence: `This ${destroyed.act} ${table}.` }
    }
  }
  return undefined
}

interface Destroyed {
  act: string
  names: string[]
}

const DESTROYED_BY: Record<string, (node: TreeNode) => Destroyed | undefined> = {
  DropStmt: (node) => ({ act: 'drops', names: objectsIn(node.objects) }),
  TruncateStmt: (node) => ({ act: 'empties', names: relationsIn(node.relations) }),
  DeleteStmt: (node) =>
    isOfAllRows(node) ? { act: 'deletes every row of', names: [nameOf(node.relation)] } : undefined,
  UpdateStmt: (node) =>
    isOfAllRows(node) ? { act: 'changes every row of', names: [nameOf(node.relation)] } : undefined,
  // Its condition says what matches, not which rows are spared.
  MergeStmt: (node) => ({ act: 'merges into', names: [nameOf(node.relation)] }),
  AlterTableStmt: (node) =>
    dropsPart(node) ? { act: 'drops a part of', names: [nameOf(node.relation)] } : undefined,
}

/** Without WHERE, or with one that looks at no column. */
function isOfAllRows({ whereClause }: TreeNode): boolean {
  return whereClause === undefined || !JSON.stringify(whereClause).includes('"ColumnRef"')
}

function dropsPart({ cmds }: TreeNode): boolean {
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
