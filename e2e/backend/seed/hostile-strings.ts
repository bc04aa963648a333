import type { Table } from '#backend/entities.ts'
import type { Addresses, State, Store } from '#backend/state.ts'

/** Strings that act when they are taken for markup; each sets window.__xss or adds an element. */
const HOSTILE_STRINGS = [
  '<img src=x onerror=window.__xss=1>',
  '<script>window.__xss=1</script>',
  '"><svg onload=window.__xss=1>',
  "javascript:window.__xss=1//'",
  '{{constructor.constructor("window.__xss=1")()}}',
]

/** Every string of every entity becomes hostile, ids, statuses and column names included. */
export function makeHostile(state: State, { origin }: Addresses): State {
  const hostile = createHostility()
  const { stores, ...lists } = state
  // Strings only change into other strings, so the shape stays.
  const changed = hostile(lists) as typeof lists
  return {
    ...changed,
    // The health probe requests this URL, so it must still point to the backend.
    services: changed.services.map((service, index) => ({
      ...service,
      url: `${origin}/services/<img src=x onerror=window.__xss=1> ${index}`,
    })),
    stores: new Map([...stores].map(([id, store]) => [id, hostileStore(store, hostile)])),
  }
}

type Hostility = (value: unknown) => unknown

/** Replaces every string, numbering each so that ids stay unique. */
function createHostility(): Hostility {
  let count = 0
  return function change(value: unknown): unknown {
    if (typeof value === 'string') return `${HOSTILE_STRINGS[count % HOSTILE_STRINGS.length]} ${count++}`
    if (Array.isArray(value)) return value.map(change)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, change(part)]))
  }
}

function hostileStore({ tables, ...lists }: Store, hostile: Hostility): Store {
  // Strings only change into other strings, so the shape stays.
  const changed = hostile(lists) as typeof lists
  return { ...changed, tables: tables.map((table) => hostileTable(table, hostile)) }
}

/** A row is keyed by its columns' names, so both change together. */
function hostileTable(table: Table, hostile: Hostility): Table {
  // Strings only change into other strings, so the shape stays.
  const columns = hostile(table.columns) as Table['columns']
  const renamed = new Map(table.columns.map(({ name }, index) => [name, columns[index]?.name ?? name]))
  const rename = (row: Table['rows'][number]): Table['rows'][number] =>
    Object.fromEntries(Object.entries(row).map(([key, cell]) => [renamed.get(key), hostile(cell)]))
  return { name: String(hostile(table.name)), columns, rows: table.rows.map(rename) }
}
