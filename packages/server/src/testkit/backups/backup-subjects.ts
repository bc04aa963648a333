import type { JobControl, Source } from '@binnacle/stores'
import type { Subject } from '#databases/backups/backup-context.ts'

/** A connection that is not open. */
export function subjectOf(source: Source, id = '7'): Subject {
  return { id, identity: id, name: 'Ledger', source, release: async () => {} }
}

/** Parses a source passed to another process. */
export function parseSubject(text: string): Subject {
  // Written by JSON.stringify of a Source, by the test that starts the process.
  return subjectOf(JSON.parse(text) as Source)
}

export function quietControl(signal: AbortSignal = new AbortController().signal): JobControl {
  return { signal, progress() {}, log() {} }
}
