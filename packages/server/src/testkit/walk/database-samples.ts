import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { DatabaseService } from '#databases/database-service.ts'
import type { MaintenanceServices } from '#databases/maintenance-services.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { quietControl } from '#testkit/backups/backup-subjects.ts'
import type { Sample } from './admin-samples.ts'

type SampleOf = (
  service: DatabaseService,
  nth: number,
  maintenanceServices: MaintenanceServices,
) => Sample | Promise<Sample>

/**
 * A valid request for every call of the database API. Tests that walk the contract fail for a call without one.
 */
export const DATABASE_SAMPLES: Record<string, SampleOf> = {
  'connections.list': () => ({}),
  'connections.add': (service, nth) => ({ body: newConnection(service, nth) }),
  // No server listens there, so no process is started.
  'connections.tryOut': (service, nth) => ({
    body: {
      ...newConnection(service, nth),
      type: 'postgresql',
      connection_string: 'postgresql://a@127.0.0.1:1/a',
    },
  }),
  'connections.update': async (service, nth) => ({
    params: { conn: await aConnection(service, nth) },
    body: { ...editOf(newConnection(service, nth)), name: `renamed-${nth}`, is_active: 1 },
  }),
  'connections.remove': async (service, nth) => ({ params: { conn: await aConnection(service, nth) } }),
  'connections.test': async (service) => ({ params: { conn: await theConnection(service) } }),
  'tables.list': async (service) => ({ params: { conn: await theConnection(service) } }),
  'tables.schema': async (service) => ({
    params: { conn: await theConnection(service), table: 'trades' },
  }),
  'tables.data': async (service) => ({
    params: { conn: await theConnection(service), table: 'trades' },
    query: {
      limit: '5',
      offset: '0',
      sort: 'id',
      order: 'desc',
      filter_column: 'symbol',
      filter_operator: 'eq',
    },
  }),
  'tables.export': async (service) => ({
    params: { conn: await theConnection(service), table: 'trades' },
    query: {
      format: 'jsonl',
      sort: 'id',
      order: 'asc',
      filter_column: 'symbol',
      filter_operator: 'contains',
    },
  }),
  'queries.run': async (service, nth) => ({
    params: { conn: await theConnection(service) },
    body: { query: "UPDATE trades SET symbol = 'B'", query_id: `statement-${nth}`, confirm: 'trades' },
  }),
  'queries.explain': async (service) => ({
    params: { conn: await theConnection(service) },
    body: { query: 'SELECT 1' },
  }),
  'queries.format': async (service) => ({
    params: { conn: await theConnection(service) },
    body: { query: 'select 1' },
  }),
  'queries.export': async (service) => ({
    params: { conn: await theConnection(service) },
    body: { query: 'SELECT * FROM trades', format: 'csv' },
  }),
  'queries.cancel': async (service) => {
    const conn = await theConnection(service)
    return { params: { conn, queryId: aRunningStatement(service, conn) } }
  },
  'queries.history': async (service) => ({ params: { conn: await theConnection(service) } }),
  'savedQueries.list': async (service) => ({ params: { conn: await theConnection(service) } }),
  'savedQueries.add': async (service, nth) => ({
    params: { conn: await theConnection(service) },
    body: { name: `kept-${nth}`, query: 'SELECT 1' },
  }),
  'savedQueries.remove': async (service) => {
    const conn = await theConnection(service)
    return { params: { conn, queryId: await aSavedQuery(service, conn) } }
  },
  'backups.list': async (service) => ({ params: { conn: await theConnection(service) } }),
  'backups.removed': () => ({}),
  'backups.create': async (service, nth) => ({ params: { conn: await aConnection(service, nth) } }),
  'backups.restore': async (service, nth, maintenanceServices) => {
    const conn = await aConnection(service, nth)
    return { params: { conn, backupId: await aBackup(maintenanceServices, conn) } }
  },
  'backups.drill': async (service, nth, maintenanceServices) => {
    const conn = await aConnection(service, nth)
    await aBackup(maintenanceServices, conn)
    return { params: { conn } }
  },
  'backups.retention': async (service) => ({ params: { conn: await theConnection(service) } }),
  'backups.setRetention': async (service) => ({
    params: { conn: await theConnection(service) },
    body: { keep_newest: 3, keep_days: 7 },
  }),
}

const ACT = serverAuditContext('a sample')

/** A writable connection to a new file with three trades in it. */
function newConnection({ access }: DatabaseService, nth: number) {
  const file = join(access.databaseFolders[0] ?? '', `sample-${nth}.sqlite`)
  const database = new DatabaseSync(file)
  database.exec('CREATE TABLE IF NOT EXISTS trades (id INTEGER PRIMARY KEY, symbol TEXT NOT NULL)')
  database.exec("INSERT INTO trades (symbol) VALUES ('A'), ('B'), ('C')")
  database.close()
  return {
    name: `sample-${nth}`,
    type: 'sqlite' as const,
    database_name: 'main',
    connection_string: file,
    writable: true,
    time_limit: 20,
  }
}

function editOf({ type: _, ...connection }: ReturnType<typeof newConnection>) {
  return connection
}

/** Shared by all samples that do not change it, because a process takes time to start. */
function theConnection(service: DatabaseService): Promise<string> {
  const conn = shared.get(service) ?? aConnection(service, 0)
  shared.set(service, conn)
  return conn
}

const shared = new WeakMap<DatabaseService, Promise<string>>()

async function aConnection(service: DatabaseService, nth: number): Promise<string> {
  const added = await service.databases.add(ACT, newConnection(service, nth))
  if (!added.ok) throw new Error('A sample could not be made')
  return String(added.value.id)
}

/** Runs until it is cancelled, at the latest when the service closes. */
function aRunningStatement({ statements }: DatabaseService, conn: string): string {
  const query_id = crypto.randomUUID()
  void statements.run(ACT, conn, { query: ENDLESS, query_id }, new AbortController().signal)
  return query_id
}

const ENDLESS = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n'

async function aSavedQuery({ statementStore }: DatabaseService, connection_id: string): Promise<string> {
  const saved = { connection_id, name: 'kept', query: 'SELECT 1', created_at: '2026-01-01T00:00:00.000Z' }
  return String((await statementStore.save(ACT, saved)).id)
}

async function aBackup({ backups, subjects }: MaintenanceServices, conn: string): Promise<string> {
  return String((await backups.make(ACT, await subjects.find(conn), quietControl())).id)
}
