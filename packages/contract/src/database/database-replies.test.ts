import { describe, expect, test } from 'vitest'
import { backups } from './backups.ts'
import { CONNECTION_TYPES, connections, NewConnection } from './connections.ts'
import { queries } from './queries.ts'
import { tables } from './tables.ts'

describe('connections', () => {
  const connection = { id: 1, name: 'Journal', type: 'sqlite', database_name: 'journal.db', is_active: 1 }

  test('[CALL-23] have id, name, type, database_name and is_active, in connections or bare', () => {
    expect(connections.list.reply.parse({ connections: [connection] })).toEqual({ connections: [connection] })
    expect(connections.list.reply.parse([{ ...connection, is_active: true }])).toEqual({
      connections: [connection],
    })
  })

  test('never carry their connection string', () => {
    const sent = { ...connection, connection_string: 'postgres://ada:secret@desk' }
    expect(connections.list.reply.parse([sent])).toEqual({ connections: [connection] })
  })

  test('[DB-4] are of type sqlite, postgresql, redis or parquet', () => {
    expect(CONNECTION_TYPES).toEqual(['sqlite', 'postgresql', 'redis', 'parquet'])
  })

  test('[DB-5] are added with four fields, and writable only when chosen', () => {
    const asked = { name: 'New', type: 'redis', database_name: '0', connection_string: 'redis://desk' }
    expect(NewConnection.parse(asked)).toEqual(asked)
    expect(NewConnection.parse({ ...asked, writable: true })).toEqual({ ...asked, writable: true })
    expect(NewConnection.safeParse({ ...asked, type: 'oracle' }).success).toBe(false)
  })

  test('[DB-25] an add answered with success false is a failure', () => {
    expect(connections.add.reply.parse({ success: false })).toEqual({ success: false })
    expect(connections.add.reply.parse({ success: true, id: 4 })).toEqual({ success: true, id: 4 })
  })
})

describe('tables', () => {
  test('[CALL-24] are objects with a name; plain names are understood', () => {
    const named = { tables: [{ name: 'orders' }, { name: 'fills' }] }
    expect(tables.list.reply.parse(named)).toEqual(named)
    expect(tables.list.reply.parse({ tables: ['orders', 'fills'] })).toEqual(named)
    expect(tables.list.reply.parse(['orders', { name: 'fills' }])).toEqual(named)
  })

  test('[CALL-24] [CALL-43] have columns with cid, name, type, notnull and pk', () => {
    const column = { cid: 0, name: 'id', type: 'INTEGER', notnull: 1, pk: 1 }
    expect(tables.schema.reply.parse({ columns: [column] })).toEqual({ columns: [column] })
    expect(tables.schema.reply.parse([{ ...column, notnull: true, pk: true }])).toEqual({ columns: [column] })
    const second = { ...column, pk: 2 }
    expect(tables.schema.reply.parse([second])).toEqual({ columns: [second] })
  })

  test('[CALL-25] a page has rows and total, which may be an estimate', () => {
    const page = { rows: [{ id: 1, note: null }], total: 120 }
    expect(tables.data.reply.parse(page)).toEqual(page)
    expect(tables.data.reply.parse({ ...page, total_is_estimate: true }).total_is_estimate).toBe(true)
    expect(tables.data.reply.safeParse({ rows: [] }).success).toBe(false)
  })

  test('[DB-8] a page is asked for by limit and offset, which arrive as text', () => {
    expect(tables.data.query.parse({ limit: '50', offset: '100' })).toEqual({ limit: 50, offset: 100 })
    expect(tables.data.query.parse({})).toEqual({ limit: 50, offset: 0 })
  })

  test.each([
    { limit: '0' },
    { limit: '1001' },
    { limit: '1.5' },
    { offset: '-1' },
    { offset: 'x' },
    { page: '2' },
  ])('[CALL-4] a page of %j is refused', (query) => {
    expect(tables.data.query.safeParse(query).success).toBe(false)
  })
})

describe('queries', () => {
  test('[CALL-26] a query that ran tells its time, rows, rows affected and message', () => {
    const ran = {
      success: true,
      execution_time: 0.012,
      rows: [{ n: 1 }],
      rows_affected: 0,
      message: 'ok',
      error: null,
    }
    expect(queries.run.reply.parse(ran)).toEqual(ran)
    const update = { success: true, execution_time: 0.2, rows: null, rows_affected: 3 }
    expect(queries.run.reply.parse(update)).toEqual(update)
  })

  test('[DB-17] a query that did not tells its error', () => {
    const failed = { success: false, execution_time: 0.001, error: 'no such table: x' }
    expect(queries.run.reply.parse({ ...failed, rows: null })).toEqual(failed)
  })

  test('[CALL-27] the history has query, status, time and error, in history or bare', () => {
    const item = {
      id: 9,
      query: 'SELECT 1',
      status: 'success',
      executed_at: '2026-01-01T00:00:00Z',
      execution_time: 0.01,
      error_message: null,
    }
    expect(queries.history.reply.parse({ history: [item] })).toEqual({ history: [item] })
    expect(queries.history.reply.parse([item])).toEqual({ history: [item] })
  })
})

describe('backups', () => {
  test('[CALL-27] [CALL-45] have type, size, path, status and time, in backups or bare', () => {
    const backup = {
      id: 2,
      backup_type: 'full',
      backup_size: 2048,
      backup_path: 'journal-2.db',
      status: 'completed',
      created_at: '2026-01-01T00:00:00Z',
    }
    expect(backups.list.reply.parse({ backups: [backup] })).toEqual({ backups: [backup] })
    expect(backups.list.reply.parse([backup])).toEqual({ backups: [backup] })
  })

  test('[CALL-28] making one returns success and backup_size, restoring one success', () => {
    expect(backups.create.reply.parse({ success: true, backup_size: 2048 })).toEqual({
      success: true,
      backup_size: 2048,
    })
    expect(backups.restore.reply.parse({ success: true })).toEqual({ success: true })
  })

  test('[DB-25] success false of either is a failure', () => {
    expect(backups.create.reply.parse({ success: false, error: 'disk full' })).toEqual({
      success: false,
      error: 'disk full',
    })
    expect(backups.restore.reply.parse({ success: false })).toEqual({ success: false })
  })
})
