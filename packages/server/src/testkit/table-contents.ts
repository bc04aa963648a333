import { DatabaseSync } from 'node:sqlite'

/** Every row of every table of a store, for 'nothing changed'. */
export function tableContents(file: string): Record<string, unknown[]> {
  const database = new DatabaseSync(file, { readOnly: true })
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all()
  const contents = tables.map(({ name }) => [String(name), database.prepare(`SELECT * FROM "${name}"`).all()])
  database.close()
  return Object.fromEntries(contents)
}
