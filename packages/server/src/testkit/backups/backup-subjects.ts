import type { Subject } from '#backups/room.ts'
import type { Source } from '#backups/source.ts'
import type { JobControl } from '#jobs/job.ts'

/** A connection that nothing has open. */
export function subjectOf(source: Source, id = '7'): Subject {
  return { id, name: 'Ledger', source, release: async () => {} }
}

/** A source as another process was handed it. */
export function parseSubject(text: string): Subject {
  // Written by JSON.stringify of a Source, by the test that starts the process.
  return subjectOf(JSON.parse(text) as Source)
}

export function quietControl(signal: AbortSignal = new AbortController().signal): JobControl {
  return { signal, progress() {}, log() {} }
}
