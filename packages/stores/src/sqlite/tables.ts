import type { Column } from '@binnacle/contract'
import type { TableEntry, TableSchema } from '#driver.ts'
import { unknownTable } from '#store-refusal.ts'
import type { SqliteStore } from './store.ts'

/** A table as paging uses it. */
export interface TableShape {
  name: string
  columns: Column[]
  /** Quoted expressions that order the rows uniquely; empty for a view. */
  key: readonly string[]
  /** Whether the key is the rowid. */
  isByRowid: boolean
}

export function listTables({ database, guard }: SqliteStore): TableEntry[] {
  const rows = guard.trust(() => database.prepare(`${TABLES} ORDER BY name`).all())
  return rows.map((row) => {
    const [name, type] = Object.values(row)
    return { name: String(name), kind: type === 'view' ? 'view' : 'table' }
  })
}

export function schemaOf(store: SqliteStore, table: string): TableSchema {
  return { columns: shapeOf(store, table).columns }
}

export function shapeOf(store: SqliteStore, table: string): TableShape {
  const { database, guard } = store
  return guard.trust(() => {
    const found = database.prepare(`${TABLES} AND name = ?`).get(table)
    if (found === undefined) throw unknownTable(table)
    const [name, type, isWithoutRowid] = Object.values(found)
    const columns = columnsOf(store, String(name))
    const isByRowid = type === 'table' && Number(isWithoutRowid) === 0
    const key = isByRowid ? rowidOf(columns) : primaryKeyOf(columns, type === 'table')
    return { name: String(name), columns, key, isByRowid }
  })
}

/** A name as a quoted SQL identifier. The only place where a name enters SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

const TABLES = `SELECT name, type, wr FROM pragma_table_list
  WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`

/** pragma_table_xinfo marks columns that SELECT * omits with 1. Generated columns are shown. */
const HIDDEN_COLUMN = 1

function columnsOf({ database, hiddenColumns }: SqliteStore, table: string): Column[] {
  const columnQuery = database.prepare(
    'SELECT cid, name, type, "notnull", pk, hidden FROM pragma_table_xinfo(?)',
  )
  return columnQuery.all(table).flatMap((row) => {
    const [cid, name, type, notnull, pk, hidden] = Object.values(row)
    const isHidden = hiddenColumns.includes(`${table}.${name}`) || Number(hidden) === HIDDEN_COLUMN
    if (isHidden) return []
    return {
      cid: Number(cid),
      name: String(name),
      type: String(type),
      notnull: Number(notnull) === 0 ? 0 : 1,
      pk: Number(pk),
    }
  })
}

/** A column called rowid hides the real one, so an alias is used. */
function rowidOf(columns: readonly Column[]): string[] {
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()))
  return ['rowid', '_rowid_', 'oid'].filter((name) => !taken.has(name)).slice(0, 1)
}

function primaryKeyOf(columns: readonly Column[], isTable: boolean): string[] {
  if (!isTable) return []
  const parts = columns.filter(({ pk }) => pk > 0).toSorted((left, right) => left.pk - right.pk)
  return parts.map(({ name }) => quoteName(name))
}
