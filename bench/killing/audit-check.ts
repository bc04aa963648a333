import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { JournalEntry } from '@binnacle/engine'
import type { Model } from './model.ts'

/** Holds the audit log of a stopped server against its journal: each act that was asked for is there once, in order. */
export function checkAuditLog(dataFolder: string, entries: readonly JournalEntry[], model: Model): number {
  const asked = entries.filter(({ origin }) => origin !== undefined).map(({ seq }) => Number(seq))
  const told = toldEntries(dataFolder)
  const wrongAt = asked.findIndex((seq, index) => told[index] !== seq)
  if (wrongAt >= 0) model.wrong.push(`line ${wrongAt + 1} of the acts is not that of entry ${asked[wrongAt]}`)
  if (told.length !== asked.length) {
    model.wrong.push(`the audit log tells ${told.length} acts, the journal holds ${asked.length}`)
  }
  return told.length
}

function toldEntries(dataFolder: string): number[] {
  const database = new DatabaseSync(join(dataFolder, 'admin.sqlite'), { readOnly: true })
  const lines = database
    .prepare("SELECT after ->> 'journal_entry' AS entry FROM audit_log WHERE actor <> 'server' ORDER BY seq")
    .all()
  database.close()
  return lines.map(({ entry }) => Number(entry))
}
