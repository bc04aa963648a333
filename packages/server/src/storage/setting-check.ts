import type { DatabaseSync } from 'node:sqlite'
import { canonicalJson } from '#storage/audit/chain.ts'
import { maskSecrets } from '#storage/audit/mask.ts'
import { FIRST_SETTINGS } from '#storage/migrations/settings.ts'

/** ADM-17: compares every setting with its last audit record, or with its default if it has none. */
export function findSettingFault(database: DatabaseSync): string | undefined {
  // One read transaction: rows and records are of the same moment.
  database.exec('BEGIN')
  const stored = new Map(
    database
      .prepare('SELECT key, value, description, category FROM settings')
      .all()
      .map((row) => [String(row.key), canonicalJson(maskSecrets({ ...row }))]),
  )
  const recorded = new Map<string, string | null>(
    FIRST_SETTINGS.map((setting) => [setting.key, canonicalJson(maskSecrets({ ...setting }))]),
  )
  const records = database.prepare(
    `SELECT target, "after" FROM audit_log WHERE entity = 'setting' ORDER BY seq`,
  )
  for (const { target, after } of records.iterate()) {
    // Masked again: records of earlier versions masked less.
    recorded.set(
      String(target),
      after === null ? null : canonicalJson(maskSecrets(JSON.parse(String(after)))),
    )
  }
  database.exec('COMMIT')
  const altered = [...new Set([...stored.keys(), ...recorded.keys()])].find(
    (key) => (stored.get(key) ?? null) !== (recorded.get(key) ?? null),
  )
  if (altered === undefined) return undefined
  return `The setting '${altered}' differs from its last audit record. Check its value and save it again.`
}
