import type { ClientBase } from 'pg'
import type { ServerInfo } from '#driver.ts'
import type { ConnectionOptions } from './connection-options.ts'

export async function readServerInfo(client: ClientBase, options: ConnectionOptions): Promise<ServerInfo> {
  const { rows } = await client.query<{ version: string; user: string; isSuperuser: boolean }>(
    `SELECT current_setting('server_version') AS version, current_user AS user,
       current_setting('is_superuser') = 'on' AS "isSuperuser"`,
  )
  const { version = '', user = '', isSuperuser = false } = rows[0] ?? {}
  // Distributions append their name to the version.
  const warnings = [
    ...(isSuperuser ? [superuserWarning(user)] : []),
    ...(options.isUnencrypted ? [unencryptedWarning(options)] : []),
  ]
  return { version: `PostgreSQL ${version.split(' ')[0]}`, warnings }
}

function superuserWarning(user: string): string {
  return `The role ${user} is a superuser and can read the server's files and all databases. Use a role with fewer rights.`
}

function unencryptedWarning({ address }: ConnectionOptions): string {
  return `The connection to ${address} is not encrypted; the password is sent in plain text. Add sslmode=verify-full to the address.`
}
