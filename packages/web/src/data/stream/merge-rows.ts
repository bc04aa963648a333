import type { Id } from '@binnacle/contract'

interface Row {
  id: Id
}

export interface RowChanges<Changed extends Row> {
  changed: readonly Changed[]
  removed: readonly Id[]
}

/** How far each row of a list is from the end where none are added, which additions do not change. */
const offsetsOf = new WeakMap<readonly Row[], Map<Id, number>>()

/**
 * Replaces rows in place; new ones are added where the list has its newest. STREAM-261: the rows are looked up, since a
 * list may have ten thousand of them; only a removal, which moves the others, goes over all.
 */
export function mergeRows<Known extends Row>(
  rows: readonly Known[],
  { changed, removed }: RowChanges<Known>,
  newestAt: 'start' | 'end',
): readonly Known[] {
  const known = removed.length > 0 ? withoutRows(rows, new Set(removed)) : rows
  const present = removed.length > 0 ? changed.filter(({ id }) => !removed.includes(id)) : changed
  const offsets = offsetsOf.get(known) ?? indexRows(known, newestAt)
  const added: Known[] = []
  const replaced: [offset: number, row: Known][] = []
  for (const row of present) {
    const offset = offsets.get(row.id)
    if (offset === undefined) {
      offsets.set(row.id, known.length + added.length)
      added.push(row)
    } else if (offset < known.length) replaced.push([offset, row])
    else added[offset - known.length] = row
  }
  const merged = newestAt === 'start' ? [...added.reverse(), ...known] : [...known, ...added]
  for (const [offset, row] of replaced)
    merged[newestAt === 'start' ? merged.length - 1 - offset : offset] = row
  // The index now has the added rows too.
  offsetsOf.delete(known)
  offsetsOf.set(merged, offsets)
  return merged
}

function withoutRows<Known extends Row>(rows: readonly Known[], gone: ReadonlySet<Id>): readonly Known[] {
  return rows.filter(({ id }) => !gone.has(id))
}

function indexRows(rows: readonly Row[], newestAt: 'start' | 'end'): Map<Id, number> {
  const last = rows.length - 1
  return new Map(rows.map(({ id }, index) => [id, newestAt === 'start' ? last - index : index]))
}
