/** JSON with the keys of every object in order, so that equal content is equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(ordered(value)) ?? 'null'
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(entries.map(([key, item]) => [key, ordered(item)]))
}
