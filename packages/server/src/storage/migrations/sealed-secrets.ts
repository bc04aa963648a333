import { type Kysely, sql } from 'kysely'
import { sealEndpoint } from '#storage/admin/api-configs-store.ts'
import { connectionOwner } from '#storage/admin/connections-store.ts'
import { sealParameters } from '#storage/admin/routes-store.ts'
import { isSecretName } from '#storage/audit/mask.ts'
import { maskMessage, maskStatement } from '#storage/audit/mask-statement.ts'
import { type SecretBox, settingOwner } from '#storage/secret-box.ts'

/** Seals secrets that earlier versions stored in clear, binds sealed ones to their rows and masks the history. */
export async function sealSecrets(db: Kysely<unknown>, secrets: SecretBox): Promise<void> {
  const connections = await rowsOf(db, 'connections', ['identity', 'sealed_string'])
  for (const [rowid, identity = '', sealed = ''] of connections) {
    const text = secrets.openUnbound(sealed)
    // Without its key it cannot be read, and the connection says so.
    if (text === undefined) continue
    const bound = secrets.seal(text, connectionOwner(identity))
    await sql`UPDATE connections SET sealed_string = ${bound} WHERE rowid = ${rowid}`.execute(db)
  }
  for (const [rowid, key = '', value = ''] of await rowsOf(db, 'settings', ['key', 'value'])) {
    if (!isSecretName(key) || value === '') continue
    const sealed = secrets.seal(value, settingOwner(key))
    await sql`UPDATE settings SET value = ${sealed} WHERE rowid = ${rowid}`.execute(db)
  }
  for (const [rowid, name = '', endpoint = ''] of await rowsOf(db, 'api_configs', ['name', 'endpoint'])) {
    const sealed = sealEndpoint({ name, endpoint }, secrets)
    await sql`UPDATE api_configs SET endpoint = ${sealed} WHERE rowid = ${rowid}`.execute(db)
  }
  const routes = await rowsOf(db, 'routes', ['service_id', 'method', 'path', 'parameters'])
  for (const [rowid, service = '', method = '', path = '', parameters = ''] of routes) {
    const sealed = sealParameters({ service_id: Number(service), method, path, parameters }, secrets)
    await sql`UPDATE routes SET parameters = ${sealed} WHERE rowid = ${rowid}`.execute(db)
  }
  const history = await rowsOf(db, 'statement_history', ['query', 'error_message'])
  for (const [rowid, query = '', error] of history) {
    const masked = maskStatement(query)
    if (masked === query) continue
    const message = error === undefined ? null : maskMessage(error, query)
    await sql`UPDATE statement_history SET query = ${masked}, error_message = ${message} WHERE rowid = ${rowid}`.execute(
      db,
    )
  }
}

type Cells = [rowid: number, ...cells: (string | undefined)[]]

async function rowsOf(db: Kysely<unknown>, table: string, columns: readonly string[]): Promise<Cells[]> {
  const list = sql.join(columns.map((column) => sql.ref(column)))
  const { rows } = await sql<
    Record<string, unknown>
  >`SELECT rowid AS rowid, ${list} FROM ${sql.table(table)}`.execute(db)
  return rows.map((row) => [
    Number(row.rowid),
    ...columns.map((column) => (row[column] === null ? undefined : String(row[column]))),
  ])
}
