import { DatabaseSync } from 'node:sqlite'

/** The highest id ever given out, by table. */
export type Sequences = ReadonlyMap<string, number>

/** Added to every sequence when the replaced file cannot be read. */
const UNREADABLE_STEP = 10_000

/** Undefined for a file that is missing or cannot be read. */
export function readSequences(file: string): Sequences | undefined {
  try {
    const database = new DatabaseSync(file, { readOnly: true })
    const rows = database.prepare('SELECT name, seq FROM sqlite_sequence').all()
    database.close()
    return new Map(rows.map(({ name, seq }) => [String(name), Number(seq)]))
  } catch {
    return undefined
  }
}

/**
 * Raises the ids that a restored store gives out next above those of the file that it replaced. Logs, backups and open
 * pages still refer to those, and an id must never mean two things.
 */
export function raiseSequences(file: string, replaced: Sequences | undefined): void {
  const database = new DatabaseSync(file)
  const restored = readSequences(file) ?? new Map()
  const floors =
    replaced ?? new Map([...restored].map(([table, last]) => [table, Number(last) + UNREADABLE_STEP]))
  for (const [table, floor] of floors) {
    if ((restored.get(table) ?? 0) >= floor) continue
    database.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(table)
    database.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(table, floor)
  }
  database.close()
}
