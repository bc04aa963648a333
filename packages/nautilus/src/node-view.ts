import {
  type Event,
  type Metrics,
  type Row,
  type RowEventType,
  SECTION_OF_EVENT,
  type Section,
  type Snapshot,
} from './protocol.ts'

interface Versioned<Name extends Section> {
  /** Null for a removed object, so that a slice with an older row does not bring it back. */
  readonly row: Row<Name> | null
  /** The number of the event that made it. */
  readonly rev: number
}

type Tables = { readonly [Name in Section]: Map<string, Versioned<Name>> }

/** The rows of one epoch of a node, as its snapshot and events gave them. */
export class NodeView {
  readonly epoch: string
  readonly #tables: Tables = {
    engine: new Map(),
    components: new Map(),
    risk: new Map(),
    instruments: new Map(),
    strategies: new Map(),
    accounts: new Map(),
    orders: new Map(),
    positions: new Map(),
  }
  /** Marks, equity and other figures that change without events; null before the first. */
  metrics: Metrics | null = null
  /** The number of the last event. */
  seq: number

  constructor(epoch: string, seq: number) {
    this.epoch = epoch
    this.seq = seq
  }

  all<Name extends Section>(section: Name): Row<Name>[] {
    return [...this.#tables[section].values()].flatMap(({ row }) => row ?? [])
  }

  find<Name extends Section>(section: Name, id: string): Row<Name> | undefined {
    return this.#tables[section].get(id)?.row ?? undefined
  }

  /** Takes the rows of a slice, except those that an event has replaced meanwhile. */
  takeSlice(slice: Exclude<Snapshot, { section: 'end' }>): void {
    // The schema of a section is the schema of its rows.
    const table = this.#tables[slice.section] as Map<string, Versioned<Section>>
    for (const { rev, ...row } of slice.rows) {
      const known = table.get(row.id)
      // Without the revision it is the row of its section again.
      if (known === undefined || rev >= known.rev) table.set(row.id, { row: row as Row<Section>, rev })
    }
  }

  /** Applies an event. An older one than the row that is shown changes nothing. */
  apply(event: Event): void {
    this.seq = event.seq
    if (!isRowEvent(event)) return
    // The table entry for a type is the section of its views.
    const table = this.#tables[SECTION_OF_EVENT[event.type]] as Map<string, Versioned<Section>>
    const { view, id } = event.data
    const key = view?.id ?? id
    if (key == null || (table.get(key)?.rev ?? 0) > event.seq) return
    table.set(key, { row: view, rev: event.seq })
  }
}

type RowEvent = Extract<Event, { type: RowEventType }>

function isRowEvent(event: Event): event is RowEvent {
  return event.type in SECTION_OF_EVENT
}
