import type { ClientBase } from 'pg'
import type { Greeting } from '../driver.ts'

export async function greet(client: ClientBase): Promise<Greeting> {
  const { rows } = await client.query<{ version: string; user: string; isSuperuser: boolean }>(
    `SELECT current_setting('server_version') AS version, current_user AS user,
       current_setting('is_superuser') = 'on' AS "isSuperuser"`,
  )
  const { version = '', user = '', isSuperuser = false } = rows[0] ?? {}
  // A distribution adds its own name to the version.
  return { version: `PostgreSQL ${version.split(' ')[0]}`, warnings: isSuperuser ? [superuser(user)] : [] }
}

function superuser(user: string): string {
  return `The role ${user} is a superuser: it may read the server's files and other databases. Use a role with fewer rights.`
}
