import type { AdminTables } from './admin-tables.ts'

/** The columns of the admin store that hold secrets, all or some of their values sealed or hashed. */
const SEALED = {
  adapters: ['api_key', 'secret'],
  alert_control: ['heartbeat_address'],
  api_configs: ['endpoint'],
  connections: ['sealed_string'],
  routes: ['parameters'],
  setting_versions: ['before', 'after'],
  settings: ['value'],
  users: ['password_hash'],
} as const satisfies { [Table in keyof AdminTables]?: readonly (keyof AdminTables[Table])[] }

/** In the form table.column. */
export const SEALED_COLUMNS: readonly string[] = Object.entries(SEALED).flatMap(([table, columns]) =>
  columns.map((column) => `${table}.${column}`),
)
