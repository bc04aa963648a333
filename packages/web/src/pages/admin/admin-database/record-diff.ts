export interface FieldDiff {
  field: string
  /** Undefined: it was not there. */
  before: string | undefined
  after: string | undefined
}

/** The fields that a change made different, in the order of their names; a value that is no object is one field. */
export function diffOf(before: unknown, after: unknown): FieldDiff[] {
  const [left, right] = [fieldsOf(before), fieldsOf(after)]
  const names = [...new Set([...left.keys(), ...right.keys()])].toSorted()
  return names
    .map((field) => ({ field, before: left.get(field), after: right.get(field) }))
    .filter((field) => field.before !== field.after)
}

function fieldsOf(value: unknown): Map<string, string> {
  if (value === null || value === undefined) return new Map()
  if (typeof value !== 'object' || Array.isArray(value)) return new Map([['value', textOf(value)]])
  return new Map(Object.entries(value).map(([name, member]) => [name, textOf(member)]))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
