import type { Backup, Column, Connection, HistoryItem, Row, Table } from '#backend/entities.ts'
import type { State, Store } from '#backend/state.ts'

export type DatabaseSeed = Pick<State, 'connections' | 'stores'>

export function databaseSeed(): DatabaseSeed {
  return {
    connections: [
      aConnection(),
      aConnection({
        id: 2,
        name: 'Market warehouse',
        type: 'postgresql',
        database_name: 'market',
        connection_string: 'postgresql://localhost:5432/market',
      }),
      aConnection({
        id: 3,
        name: 'Session cache',
        type: 'redis',
        database_name: '0',
        connection_string: 'redis://localhost:6379/0',
      }),
      aConnection({
        id: 4,
        name: 'Tick catalog',
        type: 'parquet',
        database_name: 'catalog',
        connection_string: '/var/lib/catalog',
        is_active: 0,
      }),
    ],
    stores: new Map<string, Store>([
      ['1', { tables: ledgerTables(), history: history(), backups: backups() }],
      ['2', { tables: [aTable({ name: 'quotes' })], history: [], backups: [] }],
    ]),
  }
}

function aConnection(given: Partial<Connection> = {}): Connection {
  return {
    id: 1,
    name: 'Orders ledger',
    type: 'sqlite',
    database_name: 'ledger.db',
    connection_string: '/var/lib/ledger.db',
    is_active: 1,
    ...given,
  }
}

function aTable(given: Partial<Table> = {}): Table {
  return { name: 'trades', columns: tradeColumns(), rows: tradeRows(3), ...given }
}

function aHistoryItem(given: Partial<HistoryItem> = {}): HistoryItem {
  return {
    id: 1,
    query: 'SELECT 1',
    status: 'success',
    executed_at: '2026-03-02T09:00:00Z',
    execution_time: 0.004,
    error_message: null,
    ...given,
  }
}

function aBackup(given: Partial<Backup> = {}): Backup {
  return {
    id: 1,
    backup_type: 'full',
    backup_size: 20_480,
    backup_path: '/backups/ledger-1.db',
    status: 'completed',
    created_at: '2026-03-01T00:00:00Z',
    ...given,
  }
}

/** 120 rows make three pages of 50, the last with 20. */
function ledgerTables(): Table[] {
  return [
    aTable({ rows: tradeRows(120) }),
    aTable({ name: 'instruments' }),
    aTable({ name: 'quiet_days', rows: [] }),
  ]
}

function tradeColumns(): Column[] {
  return [
    { cid: 0, name: 'id', type: 'INTEGER', notnull: 1, pk: 1 },
    { cid: 1, name: 'instrument', type: 'TEXT', notnull: 1, pk: 0 },
    { cid: 2, name: 'price', type: 'REAL', notnull: 0, pk: 0 },
    { cid: 3, name: 'note', type: 'TEXT', notnull: 0, pk: 0 },
  ]
}

function tradeRows(count: number): Row[] {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    instrument: index % 2 === 0 ? 'BTCUSDT' : 'ETHUSDT',
    price: 60_000 + index,
    note: index % 10 === 0 ? null : `trade ${index + 1}`,
  }))
}

/** Twelve entries, newest first, so that two are too old to show; the second one failed. */
function history(): HistoryItem[] {
  return Array.from({ length: 12 }, (_, index) =>
    aHistoryItem({
      id: 12 - index,
      query: `SELECT ${12 - index} FROM trades`,
      executed_at: `2026-03-02T09:${String(40 - index)}:00Z`,
      ...(index === 1 ? { status: 'error', error_message: 'no such column: 11' } : {}),
    }),
  )
}

/** One size of each unit; only two of them can be restored. */
function backups(): Backup[] {
  return [
    aBackup({
      id: 4,
      backup_size: 0,
      backup_path: '/backups/ledger-4.db',
      status: 'running',
      created_at: '2026-03-04T00:00:00Z',
    }),
    aBackup({
      id: 3,
      backup_size: 5_505_024,
      backup_path: '/backups/ledger-3.db',
      created_at: '2026-03-03T00:00:00Z',
    }),
    aBackup({
      id: 2,
      backup_size: 512,
      backup_path: '/backups/ledger-2.db',
      status: 'failed',
      created_at: '2026-03-02T00:00:00Z',
    }),
    aBackup(),
  ]
}
