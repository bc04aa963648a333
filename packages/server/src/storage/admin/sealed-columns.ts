import type { AdminTables } from './admin-tables.ts'

/** The columns of the admin store with sealed values, all or some of them, and what these are called. */
export const SEALED_TABLES = {
  adapters: { name: 'credentials of adapters', columns: ['api_key', 'secret'] },
  alert_control: { name: 'heartbeat address', columns: ['heartbeat_address'] },
  api_configs: { name: 'addresses of API configurations', columns: ['endpoint'] },
  connections: { name: 'connection strings', columns: ['sealed_string'] },
  routes: { name: 'parameters of routes', columns: ['parameters'] },
  setting_versions: { name: 'earlier values of secret settings', columns: ['before', 'after'] },
  settings: { name: 'secret settings', columns: ['value'] },
} as const satisfies {
  [Table in keyof AdminTables]?: { name: string; columns: readonly (keyof AdminTables[Table])[] }
}

/** All columns that hold secrets, sealed or hashed, in the form table.column. */
export const SEALED_COLUMNS: readonly string[] = [
  ...Object.entries(SEALED_TABLES).flatMap(([table, { columns }]) =>
    columns.map((column) => `${table}.${column}`),
  ),
  'users.password_hash',
]
