import type { ClientBase } from 'pg'
import type { Greeting } from '../driver.ts'
import type { ConnectionOptions } from './connection-options.ts'

export async function greet(client: ClientBase, options: ConnectionOptions): Promise<Greeting> {
  const { rows } = await client.query<{ version: string; user: string; isSuperuser: boolean }>(
    `SELECT current_setting('server_version') AS version, current_user AS user,
       current_setting('is_superuser') = 'on' AS "isSuperuser"`,
  )
  const { version = '', user = '', isSuperuser = false } = rows[0] ?? {}
  // A distribution adds its own name to the version.
  const warnings = [...(isSuperuser ? [superuser(user)] : []), ...(options.isOpen ? [open(options)] : [])]
  return { version: `PostgreSQL ${version.split(' ')[0]}`, warnings }
}

function superuser(user: string): string {
  return `The role ${user} is a superuser: it may read the server's files and other databases. Use a role with fewer rights.`
}

function open({ address }: ConnectionOptions): string {
  return `What is sent to ${address}, the password included, is not encrypted. Add sslmode=verify-full to the address.`
}
