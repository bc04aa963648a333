import type { Result } from '@binnacle/engine'
import type { AuditContext } from '#storage/audit/audit-context.ts'
import type { SecretBox } from '#storage/secret-box.ts'
import type { AdapterRow, AdminDb } from './admin-tables.ts'
import { type Audited, done, refused } from './audited.ts'

/** The configurations of adapters. Credentials are sealed and leave the store only for a connection. */
export interface AdaptersStore {
  list(): Promise<StoredAdapter[]>
  save(
    audit: AuditContext,
    id: string,
    change: AdapterChange,
  ): Promise<Result<StoredAdapter, 'version-changed'>>
}

/** The configurations of a further engine's adapters: their ids carry its name. */
export function adaptersOfEngine(store: AdaptersStore, engine: string): AdaptersStore {
  const prefix = `${engine}/`
  const withoutPrefix = (stored: StoredAdapter) => ({ ...stored, id: stored.id.slice(prefix.length) })
  return {
    list: async () => (await store.list()).filter(({ id }) => id.startsWith(prefix)).map(withoutPrefix),
    async save(audit, id, change) {
      const saved = await store.save(audit, `${prefix}${id}`, change)
      return saved.ok ? { ok: true, value: withoutPrefix(saved.value) } : saved
    },
  }
}

export interface StoredAdapter {
  id: string
  version: number
  hasApiKey: boolean
  hasSecret: boolean
  /** JSON text. */
  settings: string
  changedAt: string
  changedBy: string
}

export interface AdapterChange {
  /** The version that was edited. */
  version: number
  /** Undefined: unchanged. Empty: removed. */
  apiKey: string | undefined
  secret: string | undefined
  settings: string
}

export function createAdaptersStore(
  db: AdminDb,
  audited: Audited,
  { secrets, now }: { secrets: SecretBox; now: () => Date },
): AdaptersStore {
  const seal = (id: string, name: string, given: string | undefined, stored: string | null) => {
    if (given === undefined) return stored
    return given === '' ? null : secrets.seal(given, `adapter/${id}/${name}`)
  }
  return {
    list: async () =>
      (await db.selectFrom('adapters').selectAll().orderBy('id').execute()).map(withoutSecrets),
    save: (audit, id, change) =>
      audited(audit, async (tx) => {
        const before = await tx.selectFrom('adapters').selectAll().where('id', '=', id).executeTakeFirst()
        if ((before?.version ?? 0) !== change.version) return refused('version-changed')
        const row: AdapterRow = {
          id,
          version: change.version + 1,
          api_key: seal(id, 'api-key', change.apiKey, before?.api_key ?? null),
          secret: seal(id, 'secret', change.secret, before?.secret ?? null),
          settings: change.settings,
          changed_at: now().toISOString(),
          changed_by: audit.actor,
        }
        await tx
          .insertInto('adapters')
          .values(row)
          .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
          .execute()
        const replaced = [
          ...(change.apiKey === undefined ? [] : ['API key']),
          ...(change.secret === undefined ? [] : ['secret']),
        ]
        return done(withoutSecrets(row), {
          entity: 'adapter',
          target: id,
          before: before === undefined ? null : describe(before),
          after: { ...describe(row), ...(replaced.length > 0 && { replaced }) },
        })
      }),
  }
}

function withoutSecrets(row: AdapterRow): StoredAdapter {
  const { id, version, settings, changed_at: changedAt, changed_by: changedBy } = row
  const has = { hasApiKey: row.api_key !== null, hasSecret: row.secret !== null }
  return { id, version, settings, changedAt, changedBy, ...has }
}

/** For the audit record: which credentials there are, never their text. */
function describe({ version, settings, api_key, secret }: AdapterRow): Record<string, unknown> {
  const stored = [...(api_key === null ? [] : ['API key']), ...(secret === null ? [] : ['secret'])]
  return { version, stored, ...JSON.parse(settings) }
}
