import {
  type Connection,
  type ConnectionEdit,
  DEFAULT_TIME_LIMIT_S,
  type NewConnection,
} from '@binnacle/contract'
import type { Act } from '#audit/act.ts'
import type { ConnectionRow } from '#storage/admin/admin-tables.ts'
import type { Outcome } from '#storage/admin/audited.ts'
import type { ConnectionRefusal, ConnectionsStore } from '#storage/admin/connections-store.ts'
import type { SecretBox } from '#storage/secret-box.ts'
import type { Driver, Places, Target } from './drivers/driver.ts'
import { abilitiesOf, openDriver } from './drivers/open-driver.ts'
import { StoreRefusal } from './drivers/store-refusal.ts'
import { ownStores } from './own-stores.ts'

/** A connection that is being used. */
export interface OpenConnection {
  target: Target
  driver: Driver
}

/** The connections and their drivers, which stay open from call to call. */
export interface Databases {
  /** Our own stores first. */
  list(): Promise<Connection[]>
  /** Throws a StoreRefusal for one that is not there or is switched off. */
  open(id: string): Promise<OpenConnection>
  /** A driver that belongs to nobody, for a try before a connection is added. Throws a StoreRefusal. */
  openLoose(connection: NewConnection): OpenConnection
  isOwn(id: string): boolean
  add(act: Act, connection: NewConnection): Promise<Outcome<Connection, 'name-taken'>>
  update(act: Act, id: string, edit: ConnectionEdit): Promise<Outcome<Connection, ConnectionRefusal>>
  remove(act: Act, id: string): Promise<Outcome<Connection, 'unknown'>>
  close(): Promise<void>
}

export interface DatabasesOptions {
  store: ConnectionsStore
  secrets: SecretBox
  places: Places
}

export function createDatabases({ store, secrets, places }: DatabasesOptions): Databases {
  const own = ownStores(places.dataFolder)
  const drivers = new Map<string, OpenConnection>()

  function targetOf(row: ConnectionRow): Target {
    const connectionString = secrets.open(row.sealed_string)
    if (connectionString === undefined) throw UNREADABLE
    return { ...targetFields(row), connectionString }
  }

  async function find(id: string): Promise<Target> {
    const ours = own.find((target) => target.id === id)
    if (ours !== undefined) return ours
    const row = await store.find(rowIdOf(id))
    if (row === undefined) throw unknownConnection(id)
    if (row.is_active === 0) throw SWITCHED_OFF
    return targetOf(row)
  }

  async function letGo(id: string): Promise<void> {
    const open = drivers.get(id)
    drivers.delete(id)
    await open?.driver.close()
  }

  function describe(row: ConnectionRow): Connection {
    const target = { ...targetFields(row), connectionString: secrets.open(row.sealed_string) ?? '' }
    return { ...wireOf(target, places), is_active: row.is_active }
  }

  return {
    async list() {
      const added = await store.list()
      const ours = own.map((target) => ({ ...wireOf(target, places), is_builtin: 1 as const }))
      return [...ours, ...added.map(describe)]
    },
    async open(id) {
      const open = drivers.get(id)
      if (open !== undefined) return open
      const target = await find(id)
      const made = drivers.get(id) ?? { target, driver: openDriver(target, places) }
      drivers.set(id, made)
      return made
    },
    openLoose(connection) {
      const target = {
        ...targetFields({ id: 0, ...rowOf(connection) }),
        connectionString: connection.connection_string,
      }
      return { target, driver: openDriver(target, places) }
    },
    isOwn: (id) => own.some((target) => target.id === id),
    async add(act, connection) {
      const sealed_string = secrets.seal(connection.connection_string)
      const outcome = await store.add(act, { ...rowOf(connection), sealed_string })
      return outcome.ok ? { ok: true, value: describe(outcome.value) } : outcome
    },
    async update(act, id, { connection_string, writable, time_limit, ...rest }) {
      const outcome = await store.update(act, rowIdOf(id), {
        ...rest,
        sealed_string: connection_string === undefined ? undefined : secrets.seal(connection_string),
        writable: writable === undefined ? undefined : flag(writable),
        time_limit_s: time_limit,
      })
      await letGo(id)
      return outcome.ok ? { ok: true, value: describe(outcome.value) } : outcome
    },
    async remove(act, id) {
      const outcome = await store.remove(act, rowIdOf(id))
      await letGo(id)
      return outcome.ok ? { ok: true, value: describe(outcome.value) } : outcome
    },
    async close() {
      await Promise.all([...drivers.keys()].map(letGo))
    },
  }
}

function rowOf({
  name,
  type,
  database_name,
  writable = false,
  time_limit = DEFAULT_TIME_LIMIT_S,
}: NewConnection) {
  return {
    name,
    type,
    database_name,
    sealed_string: '',
    is_active: 1 as const,
    writable: flag(writable),
    time_limit_s: time_limit,
  }
}

function targetFields(row: ConnectionRow): Omit<Target, 'connectionString'> {
  return {
    id: String(row.id),
    name: row.name,
    kind: row.type,
    databaseName: row.database_name,
    writable: row.writable === 1,
    timeLimitMs: row.time_limit_s * 1000,
  }
}

function wireOf(target: Target, places: Places): Connection {
  return {
    id: target.isOwn === true ? target.id : Number(target.id),
    name: target.name,
    type: target.kind,
    database_name: target.databaseName,
    is_active: 1,
    writable: target.writable,
    time_limit: target.timeLimitMs / 1000,
    can: abilitiesOf(target, places),
  }
}

function flag(claim: boolean): 0 | 1 {
  return claim ? 1 : 0
}

/** The number of a row from the id in a path; 0, which no row has, for what is no number. */
function rowIdOf(id: string): number {
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0
}

function unknownConnection(id: string): StoreRefusal {
  const fault = { field: 'path.conn', message: 'names no connection' }
  const detail = `There is no connection '${id}'. GET /api/db/connections lists them.`
  return new StoreRefusal('thing.unknown', detail, [fault])
}

const SWITCHED_OFF = new StoreRefusal('store.refused', 'The connection is inactive. Make it active first.', [
  { field: 'path.conn', message: 'names an inactive connection' },
])

const UNREADABLE = new StoreRefusal(
  'store.refused',
  "The connection string was sealed with another server's key. Enter it again by editing the connection.",
  [{ field: 'path.conn', message: 'names a connection whose string cannot be read' }],
)
