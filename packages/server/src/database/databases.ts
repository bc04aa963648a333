import type { Connection, ConnectionEdit, NewConnection } from '@binnacle/contract'
import type { Act } from '#audit/act.ts'
import type { ConnectionRow } from '#storage/admin/admin-tables.ts'
import type { Outcome } from '#storage/admin/audited.ts'
import type { ConnectionRefusal, ConnectionsStore } from '#storage/admin/connections-store.ts'
import type { SecretBox } from '#storage/secret-box.ts'
import {
  changeFromWire,
  editedConnection,
  rowFromWire,
  targetFromRow,
  targetFromWire,
  targetToWire,
} from './connection.wire.ts'
import { settle } from './drivers/answer-store.ts'
import type { Driver, Places, Target } from './drivers/driver.ts'
import { abilitiesOf, checkTarget, openDriver } from './drivers/open-driver.ts'
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
  /**
   * Looks at a store through a connection. When it is edited meanwhile, the look is taken again through what it leads to
   * now; only what changes nothing may be asked so.
   */
  look<Seen>(id: string, look: (open: OpenConnection) => Promise<Seen>): Promise<Seen>
  /** A driver that belongs to nobody, for a try before a connection is added. Throws a StoreRefusal. */
  openLoose(connection: NewConnection): OpenConnection
  /** Throws a StoreRefusal for what is wrong with a connection in itself; its store is not reached. */
  check(connection: NewConnection): void
  /** A connection as it would be after an edit; undefined for one that is not there. */
  merged(id: string, edit: ConnectionEdit): Promise<NewConnection | undefined>
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
  /** Counts what was let go, so that a row read before an edit is not taken for what it says after. */
  let edits = 0
  let isClosed = false

  function describe(row: ConnectionRow): Connection {
    const target = targetFromRow(row, secrets.open(row.sealed_string) ?? '')
    return { ...targetToWire(target, abilitiesOf(target, places)), is_active: row.is_active }
  }

  async function find(id: string): Promise<Target> {
    const row = await store.find(rowIdOf(id))
    if (row === undefined) throw unknownConnection(id)
    if (row.is_active === 0) throw SWITCHED_OFF
    const connectionString = secrets.open(row.sealed_string)
    if (connectionString === undefined) throw UNREADABLE
    return targetFromRow(row, connectionString)
  }

  async function open(id: string): Promise<OpenConnection> {
    const known = drivers.get(id)
    if (known !== undefined) return known
    const before = edits
    const target = own.find((ours) => ours.id === id) ?? (await find(id))
    if (edits !== before) return open(id)
    const opened = drivers.get(id) ?? { target, driver: openDriver(target, places) }
    drivers.set(id, opened)
    return opened
  }

  async function letGo(id: string): Promise<void> {
    const open = drivers.get(id)
    edits += 1
    drivers.delete(id)
    await open?.driver.close()
  }

  return {
    async list() {
      const ours = own.map((target) => targetToWire(target, abilitiesOf(target, places)))
      return [...ours, ...(await store.list()).map(describe)]
    },
    open,
    async look(id, look) {
      for (;;) {
        const opened = await open(id)
        const seen = await settle(() => look(opened))
        if (seen.ok) return seen.value
        // Whatever it failed of, it was asked of what the connection no longer leads to.
        if (isClosed || drivers.get(id) === opened) throw seen.refusal
      }
    },
    openLoose(connection) {
      const target = targetFromWire(connection)
      return { target, driver: openDriver(target, places) }
    },
    check: (connection) => checkTarget(targetFromWire(connection), places),
    async merged(id, edit) {
      const row = await store.find(rowIdOf(id))
      return row && editedConnection(targetFromRow(row, secrets.open(row.sealed_string) ?? ''), edit)
    },
    isOwn: (id) => own.some((target) => target.id === id),
    async add(act, connection) {
      return told(await store.add(act, rowFromWire(connection, secrets.seal)), describe)
    },
    async update(act, id, edit) {
      const outcome = await store.update(act, rowIdOf(id), changeFromWire(edit, secrets.seal))
      await letGo(id)
      return told(outcome, describe)
    },
    async remove(act, id) {
      const outcome = await store.remove(act, rowIdOf(id))
      await letGo(id)
      return told(outcome, describe)
    },
    async close() {
      isClosed = true
      await Promise.all([...drivers.keys()].map(letGo))
    },
  }
}

function told<Row, Told, Reason extends string>(
  outcome: Outcome<Row, Reason>,
  tell: (row: Row) => Told,
): Outcome<Told, Reason> {
  return outcome.ok ? { ok: true, value: tell(outcome.value) } : outcome
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
