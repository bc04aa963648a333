import type { Connection, Row, Table } from './entities.ts'
import { byId, fieldsOf, type HandlerInput, NOT_FOUND, ok, type Routes, textOf } from './handlers.ts'
import type { Reply } from './reply-overrides.ts'
import { type State, type Store, storeOf } from './state.ts'

const NEW_BACKUP_BYTES = 1_536_512

export const databaseRoutes: Routes = {
  'GET /api/db/connections': ({ state }) => ok({ connections: state.connections }),
  'POST /api/db/connections': addConnection,
  'GET /api/db/:conn/tables': inStore((store) => ok({ tables: store.tables.map(({ name }) => ({ name })) })),
  'GET /api/db/:conn/tables/:table/schema': inTable((table) => ok({ columns: table.columns })),
  'GET /api/db/:conn/tables/:table/data': inTable(({ rows }, { query }) => {
    const offset = Number(query.offset ?? 0)
    return ok({ rows: rows.slice(offset, offset + Number(query.limit ?? 50)), total: rows.length })
  }),
  'POST /api/db/:conn/query': inStore(runQuery),
  'GET /api/db/:conn/query-history': inStore((store) => ok({ history: store.history })),
  'GET /api/db/:conn/backups': inStore((store) => ok({ backups: store.backups })),
  'POST /api/db/:conn/backup': inStore(takeBackup),
  'POST /api/db/:conn/restore/:backup': inStore((store, { params }) =>
    byId(store.backups, params.backup) ? ok({ success: true }) : NOT_FOUND,
  ),
}

function inStore(answer: (store: Store, input: HandlerInput) => Reply): (input: HandlerInput) => Reply {
  return (input) => {
    const connection = byId(input.state.connections, input.params.conn)
    return connection ? answer(storeOf(input.state, connection.id), input) : NOT_FOUND
  }
}

function inTable(answer: (table: Table, input: HandlerInput) => Reply): (input: HandlerInput) => Reply {
  return inStore((store, input) => {
    const table = store.tables.find(({ name }) => name === input.params.table)
    return table ? answer(table, input) : NOT_FOUND
  })
}

function addConnection({ state, body }: HandlerInput): Reply {
  const { name, type, database_name: databaseName, connection_string: connectionString } = fieldsOf(body)
  const connection: Connection = {
    id: nextId(state),
    name: textOf(name),
    type: textOf(type),
    database_name: textOf(databaseName),
    connection_string: textOf(connectionString),
    is_active: 1,
  }
  state.connections = [...state.connections, connection]
  return ok({ success: true })
}

function nextId(state: State): number {
  return 1 + Math.max(0, ...state.connections.map(({ id }) => Number(id) || 0))
}

/** Understands enough SQL to be talked to: 'SELECT … FROM table' gives its rows, a change affects one. */
function runQuery(store: Store, { body }: HandlerInput): Reply {
  const query = textOf(fieldsOf(body).query)
  const result = resultOf(store, query)
  const error = 'error' in result ? result.error : null
  store.history.unshift({
    id: 1 + store.history.length,
    query,
    status: error === null ? 'success' : 'error',
    executed_at: '2026-03-05T12:00:00Z',
    execution_time: 0.012,
    error_message: error,
  })
  return ok({ success: error === null, execution_time: 0.012, ...result })
}

type Result = { error: string } | { rows: Row[]; rows_affected: number; message?: string }

function resultOf(store: Store, query: string): Result {
  if (/^\s*(insert|update|delete)\b/i.test(query))
    return { rows: [], rows_affected: 1, message: '1 row changed' }
  if (!/^\s*select\b/i.test(query)) return { error: `near "${query.trim().split(/\s/)[0]}": syntax error` }
  const wanted = /\bfrom\s+(\w+)/i.exec(query)?.[1]
  if (wanted === undefined) return { rows: [{ value: 1 }], rows_affected: 0 }
  const table = store.tables.find(({ name }) => name === wanted)
  return table ? { rows: table.rows.slice(0, 5), rows_affected: 0 } : { error: `no such table: ${wanted}` }
}

function takeBackup(store: Store): Reply {
  const id = 1 + Math.max(0, ...store.backups.map((backup) => Number(backup.id) || 0))
  store.backups.unshift({
    id,
    backup_type: 'manual',
    backup_size: NEW_BACKUP_BYTES,
    backup_path: `/backups/manual-${id}.db`,
    status: 'completed',
    created_at: '2026-03-05T12:00:00Z',
  })
  return ok({ success: true, backup_size: NEW_BACKUP_BYTES })
}
