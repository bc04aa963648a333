import type { ClientBase } from 'pg'
import type { ServerInfo } from '#driver.ts'
import type { ConnectionOptions } from './connection-options.ts'
import { PRIVILEGES, type Privileges, privilegeWarning } from './privileges.ts'

export async function readServerInfo(client: ClientBase, options: ConnectionOptions): Promise<ServerInfo> {
  const { rows } = await client.query<Privileges & { version: string }>(
    `SELECT current_setting('server_version') AS version, p.* FROM (${PRIVILEGES}) AS p`,
  )
  const [found] = rows
  const warnings = [
    ...(found !== undefined && found.excess !== null ? [privilegeWarning(found)] : []),
    ...(options.isUnencrypted ? [unencryptedWarning(options)] : []),
  ]
  // Distributions append their name to the version.
  return { version: `PostgreSQL ${found?.version.split(' ')[0]}`, warnings }
}

function unencryptedWarning({ address }: ConnectionOptions): string {
  return `The connection to ${address} is not encrypted; the password is sent in plain text. Add sslmode=verify-full to the address.`
}
