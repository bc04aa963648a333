import type { DatabaseSync } from 'node:sqlite'
import { StartRefusal } from '#config/start-refusal.ts'

/**
 * The steps from an empty file to the current schema, oldest first. A released step never changes. Seconds are keyed by
 * time, since every second is written to all series at once; the others by series, as they are read.
 */
const STEPS = [
  `
  CREATE TABLE series (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE samples_1s (at INTEGER NOT NULL, series INTEGER NOT NULL, value REAL NOT NULL, PRIMARY KEY (at, series)) STRICT, WITHOUT ROWID;
  CREATE TABLE samples_1m (series INTEGER NOT NULL, at INTEGER NOT NULL, last REAL NOT NULL, low REAL NOT NULL, high REAL NOT NULL, PRIMARY KEY (series, at)) STRICT, WITHOUT ROWID;
  CREATE TABLE samples_1h (series INTEGER NOT NULL, at INTEGER NOT NULL, last REAL NOT NULL, low REAL NOT NULL, high REAL NOT NULL, PRIMARY KEY (series, at)) STRICT, WITHOUT ROWID;
  CREATE TABLE rolled_up (resolution INTEGER PRIMARY KEY, until INTEGER NOT NULL) STRICT;
  CREATE TABLE marks (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL) STRICT;
  CREATE INDEX marks_by_time ON marks (at);
  CREATE TABLE notes (name TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `,
]

/** Brings a file to the current schema, each step in a transaction. A file of a newer version is refused. */
export function migrateSamples(database: DatabaseSync, file: string, steps: readonly string[] = STEPS): void {
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version)
  if (version > steps.length) {
    throw new StartRefusal(
      `${file} was written by a newer version of Binnacle (schema ${version}; this one knows ${steps.length}). Start that version, or set BINNACLE_DATA to another folder.`,
    )
  }
  for (const [index, step] of steps.entries()) {
    if (index < version) continue
    database.exec(`BEGIN; ${step}; PRAGMA user_version = ${index + 1}; COMMIT`)
  }
}
