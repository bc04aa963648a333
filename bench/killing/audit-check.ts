import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { JournalEntry } from '@binnacle/engine'
import type { Model } from './model.ts'

/** Holds the audit log of a stopped server against its journal: each act that was commanded for is there once, in order. */
export function checkAuditLog(dataFolder: string, entries: readonly JournalEntry[], model: Model): number {
  const commanded = entries.filter(({ origin }) => origin !== undefined).map(({ seq }) => Number(seq))
  const audited = auditedEntries(dataFolder)
  const wrongAt = commanded.findIndex((seq, index) => audited[index] !== seq)
  if (wrongAt >= 0)
    model.wrong.push(`line ${wrongAt + 1} of the acts is not that of entry ${commanded[wrongAt]}`)
  if (audited.length !== commanded.length) {
    model.wrong.push(`the audit log holds ${audited.length} changes, the journal holds ${commanded.length}`)
  }
  return audited.length
}

function auditedEntries(dataFolder: string): number[] {
  const database = new DatabaseSync(join(dataFolder, 'admin.sqlite'), { readOnly: true })
  const lines = database
    .prepare("SELECT after ->> 'journal_entry' AS entry FROM audit_log WHERE actor <> 'server' ORDER BY seq")
    .all()
  database.close()
  return lines.map(({ entry }) => Number(entry))
}
