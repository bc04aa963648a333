import type { Table } from '#backend/entities.ts'
import type { Addresses, State, Store } from '#backend/state.ts'

/** Strings that act when they are taken for markup; each sets window.__xss or adds an element. */
export const HOSTILE_STRINGS = [
  '<img src=x onerror=window.__xss=1>',
  '<script>window.__xss=1</script>',
  '"><svg onload=window.__xss=1>',
  "javascript:window.__xss=1//'",
  '{{constructor.constructor("window.__xss=1")()}}',
]

/** Closed sets of the specification: another word there is a broken reply, not a hostile one. */
const CLOSED_SETS = new Set(['method'])

export function makeHostile(state: State, addresses: Addresses): State {
  const { stores, services, ...rest } = state
  const hostile = createHostility()
  const plain = { ...rest, connections: state.connections.map(({ type: _, ...connection }) => connection) }
  // Strings only change into other strings, so the shape stays.
  const changed = hostile(plain) as typeof plain
  return {
    ...state,
    ...changed,
    // The connection types are a closed set as well, and `type` is an open one elsewhere.
    connections: changed.connections.map((connection, index) => ({
      ...connection,
      type: state.connections[index]?.type ?? 'sqlite',
    })),
    services: services.map((service, index) => ({
      ...service,
      name: `${HOSTILE_STRINGS[0]} ${index}`,
      description: `${HOSTILE_STRINGS[1]} ${index}`,
      url: `${addresses.origin}/services/<img src=x onerror=window.__xss=1>${index}`,
    })),
    stores: new Map([...stores].map(([id, store]) => [id, hostileStore(store, hostile)])),
  }
}

/** Replaces every string, numbering each so that ids stay unique. */
function createHostility(): (value: unknown) => unknown {
  let count = 0
  const next = (): string => `${HOSTILE_STRINGS[count % HOSTILE_STRINGS.length]} ${(count++).toString()}`
  return function change(value: unknown): unknown {
    if (typeof value === 'string') return next()
    if (Array.isArray(value)) return value.map(change)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value)
    return Object.fromEntries(entries.map(([key, part]) => [key, changeField(key, part, change)]))
  }
}

function changeField(key: string, part: unknown, change: (value: unknown) => unknown): unknown {
  if (CLOSED_SETS.has(key)) return part
  if (key === 'parameters') return JSON.stringify({ [String(change('name'))]: change('value') })
  return change(part)
}

function hostileStore(store: Store, hostile: (value: unknown) => unknown): Store {
  const tables = store.tables.map((table) => hostileTable(table, hostile))
  // Strings only change into other strings, so the shape stays.
  const { history, backups } = hostile({ history: store.history, backups: store.backups }) as Store
  return { tables, history, backups }
}

/** A row is keyed by its columns' names, so both change together. */
function hostileTable(table: Table, hostile: (value: unknown) => unknown): Table {
  const columns = hostile(table.columns) as Table['columns']
  const nameOf = new Map(table.columns.map((column, index) => [column.name, columns[index]?.name ?? '']))
  return {
    name: String(hostile(table.name)),
    columns,
    rows: table.rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([key, cell]) => [nameOf.get(key), hostile(cell)])),
    ),
  }
}
