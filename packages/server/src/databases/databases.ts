import type { Connection, ConnectionEdit, NewConnection } from '@binnacle/contract'
import type { Result } from '@binnacle/engine'
import type { ConnectionConfig, Driver, FolderAccess } from '@binnacle/stores'
import { capabilitiesOf, checkConfig, openDriver, StoreRefusal } from '@binnacle/stores'
import { parseRowId } from '#http/row-id.ts'
import type { ConnectionRow } from '#storage/admin/admin-tables.ts'
import {
  type ConnectionRefusal,
  type ConnectionsStore,
  connectionOwner,
} from '#storage/admin/connections-store.ts'
import type { AuditContext } from '#storage/audit/audit-context.ts'
import type { SecretBox } from '#storage/secret-box.ts'
import {
  applyEdit,
  changeFromWire,
  configFromRow,
  configFromWire,
  configToWire,
  rowFromWire,
} from './connection.wire.ts'
import { ownStores } from './own-stores.ts'
import { catchRefusal } from './store-refusals.ts'

/** An open connection with its driver. */
export interface OpenConnection {
  /** Random for a user's connection, the id for an own store. */
  identity: string
  config: ConnectionConfig
  driver: Driver
}

/** The connections and their drivers, which stay open between calls. */
export interface Databases {
  /** Our own stores first. */
  list(): Promise<Connection[]>
  /** Throws a StoreRefusal for an unknown or inactive connection. */
  open(id: string): Promise<OpenConnection>
  /**
   * Reads from a store. When the connection is edited meanwhile, the read is repeated on its new target, so it must not
   * change anything.
   */
  read<Value>(id: string, read: (open: OpenConnection) => Promise<Value>): Promise<Value>
  /** Opens a driver for a test before the connection is added. Throws a StoreRefusal. */
  openUnsaved(connection: NewConnection): OpenConnection
  /** Throws a StoreRefusal for an invalid connection, without connecting. */
  check(connection: NewConnection): void
  /** The connection after an edit; undefined for an unknown one. */
  applyEdit(id: string, edit: ConnectionEdit): Promise<NewConnection | undefined>
  isOwn(id: string): boolean
  add(audit: AuditContext, connection: NewConnection): Promise<Result<Connection, 'name-taken'>>
  update(
    audit: AuditContext,
    id: string,
    edit: ConnectionEdit,
  ): Promise<Result<Connection, ConnectionRefusal>>
  remove(audit: AuditContext, id: string): Promise<Result<Connection, 'unknown'>>
  close(): Promise<void>
}

export interface DatabasesOptions {
  store: ConnectionsStore
  secrets: SecretBox
  access: FolderAccess
}

export function createDatabases({ store, secrets, access }: DatabasesOptions): Databases {
  const own = () => ownStores(access.dataFolder)
  const drivers = new Map<string, OpenConnection>()
  /** Counts edits, so that a row read before an edit is not used after it. */
  let edits = 0
  let isClosed = false

  const decryptConnectionString = ({ identity, sealed_string }: ConnectionRow) =>
    secrets.open(sealed_string, connectionOwner(identity))

  function describe(row: ConnectionRow): Connection {
    const config = configFromRow(row, decryptConnectionString(row) ?? '')
    return { ...configToWire(config, capabilitiesOf(config, access)), is_active: row.is_active }
  }

  async function find(id: string): Promise<Omit<OpenConnection, 'driver'>> {
    const ownStore = own().find((target) => target.id === id)
    if (ownStore !== undefined) return { config: ownStore, identity: id }
    const row = await store.find(parseRowId(id))
    if (row === undefined) throw unknownConnection(id)
    if (row.is_active === 0) throw INACTIVE
    const connectionString = decryptConnectionString(row)
    if (connectionString === undefined) throw UNREADABLE
    return { config: configFromRow(row, connectionString), identity: row.identity }
  }

  async function open(id: string): Promise<OpenConnection> {
    const known = drivers.get(id)
    if (known !== undefined) return known
    const before = edits
    const found = await find(id)
    if (edits !== before) return open(id)
    const opened = drivers.get(id) ?? { ...found, driver: openDriver(found.config, access) }
    drivers.set(id, opened)
    return opened
  }

  async function closeDriver(id: string): Promise<void> {
    const open = drivers.get(id)
    edits += 1
    drivers.delete(id)
    await open?.driver.close()
  }

  return {
    async list() {
      const ownConnections = own().map((target) => configToWire(target, capabilitiesOf(target, access)))
      return [...ownConnections, ...(await store.list()).map(describe)]
    },
    open,
    async read(id, readFrom) {
      for (;;) {
        const opened = await open(id)
        const result = await catchRefusal(() => readFrom(opened))
        if (result.ok) return result.value
        // The connection was edited meanwhile, so the failure does not count.
        if (isClosed || drivers.get(id) === opened) throw result.refusal
      }
    },
    openUnsaved(connection) {
      const config = configFromWire(connection)
      return { config, identity: '', driver: openDriver(config, access) }
    },
    check: (connection) => checkConfig(configFromWire(connection), access),
    async applyEdit(id, edit) {
      const row = await store.find(parseRowId(id))
      return row && applyEdit(configFromRow(row, decryptConnectionString(row) ?? ''), edit)
    },
    isOwn: (id) => own().some((target) => target.id === id),
    async add(audit, connection) {
      return mapOutcome(await store.add(audit, rowFromWire(connection, secrets.seal)), describe)
    },
    async update(audit, id, edit) {
      const row = await store.find(parseRowId(id))
      const seal = (text: string) => secrets.seal(text, connectionOwner(row?.identity ?? ''))
      const outcome = await store.update(audit, parseRowId(id), changeFromWire(edit, seal))
      // A refused edit must not end the statements that are running.
      if (outcome.ok) await closeDriver(id)
      return mapOutcome(outcome, describe)
    },
    async remove(audit, id) {
      const outcome = await store.remove(audit, parseRowId(id))
      if (outcome.ok) await closeDriver(id)
      return mapOutcome(outcome, describe)
    },
    async close() {
      isClosed = true
      await Promise.all([...drivers.keys()].map(closeDriver))
    },
  }
}

function mapOutcome<Row, Value, Reason extends string>(
  outcome: Result<Row, Reason>,
  map: (row: Row) => Value,
): Result<Value, Reason> {
  return outcome.ok ? { ok: true, value: map(outcome.value) } : outcome
}

function unknownConnection(id: string): StoreRefusal {
  const fault = { field: 'path.conn', message: 'is not a known connection' }
  const detail = `There is no connection '${id}'. GET /api/db/connections lists them.`
  return new StoreRefusal('thing.unknown', detail, [fault])
}

const INACTIVE = new StoreRefusal('store.refused', 'The connection is inactive. Activate it first.', [
  { field: 'path.conn', message: 'is an inactive connection' },
])

const UNREADABLE = new StoreRefusal(
  'store.refused',
  "The connection string cannot be decrypted with this server's key. Edit the connection and enter it again.",
  [{ field: 'path.conn', message: 'is a connection whose string cannot be read' }],
)
