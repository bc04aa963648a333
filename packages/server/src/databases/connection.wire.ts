import { randomUUID } from 'node:crypto'
import {
  type Connection,
  type ConnectionEdit,
  DEFAULT_TIME_LIMIT_S,
  type NewConnection,
} from '@binnacle/contract'
import type { ConnectionConfig, DriverCapabilities } from '@binnacle/stores'
import type { ConnectionRow } from '#storage/admin/admin-tables.ts'
import { connectionOwner, type NewConnectionRow } from '#storage/admin/connections-store.ts'
import { type Change, merge } from '#storage/admin/merge.ts'
import type { SecretBox } from '#storage/secret-box.ts'

type Seal = (text: string) => string

export function rowFromWire(connection: NewConnection, seal: SecretBox['seal']): NewConnectionRow {
  const identity = randomUUID()
  return {
    identity,
    name: connection.name,
    type: connection.type,
    database_name: connection.database_name,
    sealed_string: seal(connection.connection_string, connectionOwner(identity)),
    is_active: 1,
    writable: flag(connection.writable ?? false),
    accept_privileged_role: flag(connection.accept_privileged_role ?? false),
    time_limit_s: connection.time_limit ?? DEFAULT_TIME_LIMIT_S,
  }
}

export function changeFromWire(edit: ConnectionEdit, seal: Seal): Change<NewConnectionRow> {
  const { connection_string, writable, accept_privileged_role, time_limit, ...rest } = edit
  return {
    ...rest,
    sealed_string: connection_string === undefined ? undefined : seal(connection_string),
    writable: writable === undefined ? undefined : flag(writable),
    accept_privileged_role: accept_privileged_role === undefined ? undefined : flag(accept_privileged_role),
    time_limit_s: time_limit,
  }
}

/** The connection after an edit. */
export function applyEdit(
  config: ConnectionConfig,
  { is_active: _, ...edit }: ConnectionEdit,
): NewConnection {
  const now = {
    name: config.name,
    type: config.kind,
    database_name: config.databaseName,
    connection_string: config.connectionString,
    writable: config.writable,
    accept_privileged_role: config.acceptsPrivilegedRole ?? false,
    time_limit: config.timeLimitMs / 1000,
  }
  return merge<NewConnection>(now, edit)
}

export function configFromRow(row: ConnectionRow, connectionString: string): ConnectionConfig {
  return {
    id: String(row.id),
    name: row.name,
    kind: row.type,
    databaseName: row.database_name,
    connectionString,
    writable: row.writable === 1,
    acceptsPrivilegedRole: row.accept_privileged_role === 1,
    timeLimitMs: row.time_limit_s * 1000,
  }
}

/** For a connection that is not stored. */
export function configFromWire(connection: NewConnection): ConnectionConfig {
  const row = rowFromWire(connection, () => '')
  return configFromRow({ id: 0, ...row }, connection.connection_string)
}

export function configToWire(config: ConnectionConfig, can: DriverCapabilities | undefined): Connection {
  return {
    id: config.isOwn === true ? config.id : Number(config.id),
    name: config.name,
    type: config.kind,
    database_name: config.databaseName,
    is_active: 1,
    writable: config.writable,
    ...(config.kind === 'postgresql' && { accept_privileged_role: config.acceptsPrivilegedRole ?? false }),
    time_limit: config.timeLimitMs / 1000,
    can,
    ...(config.isOwn === true && { is_builtin: 1 }),
  }
}

function flag(claim: boolean): 0 | 1 {
  return claim ? 1 : 0
}
