import { type Kysely, sql } from 'kysely'

export async function createSettings(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('settings')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('category', 'text', (column) => column.notNull())
    .modifyEnd(sql`STRICT`)
    .execute()
}

/** Runs once, so later changes and deletions persist. */
export async function seedSettings(db: Kysely<unknown>): Promise<void> {
  for (const { key, value, description, category } of FIRST_SETTINGS) {
    await sql`INSERT INTO settings (key, value, description, category)
              VALUES (${key}, ${value}, ${description}, ${category})`.execute(db)
  }
}

/** The settings of a new data folder with their defaults: SET-1 to SET-4. */
export const FIRST_SETTINGS = [
  { key: 'system_name', value: 'Binnacle', description: 'System Name', category: 'general' },
  {
    key: 'environment',
    value: 'Production',
    description: 'Environment: Production, Staging or Development',
    category: 'general',
  },
  {
    key: 'email_notifications',
    value: 'true',
    description: 'Notifications by Email',
    category: 'notifications',
  },
  {
    key: 'slack_notifications',
    value: 'false',
    description: 'Notifications by Slack',
    category: 'notifications',
  },
  {
    key: 'sms_notifications',
    value: 'false',
    description: 'Notifications by SMS',
    category: 'notifications',
  },
  { key: 'session_timeout', value: '30', description: 'Session Timeout in minutes', category: 'security' },
  { key: 'two_factor_auth', value: 'true', description: 'Two-Factor Auth', category: 'security' },
  {
    key: 'max_concurrent_requests',
    value: '100',
    description: 'Max Concurrent Requests',
    category: 'performance',
  },
  { key: 'cache_ttl', value: '3600', description: 'Cache TTL in seconds', category: 'performance' },
] as const
