import type { ResultColumn } from '@binnacle/contract'

/** Derives the type of each column from its values; the declared type alone may be wrong. */
export interface TypeObserver {
  observe(row: readonly unknown[]): void
  types(): { name: string; type: string }[]
}

interface Candidate {
  type: string
  fits(value: unknown, declared: string): boolean
}

/** From narrow to wide. */
const CANDIDATES: readonly Candidate[] = [
  { type: 'BOOLEAN', fits: (value) => typeof value === 'boolean' },
  {
    type: 'BIGINT',
    fits: (value, declared) =>
      Number.isSafeInteger(value) || (/int|serial/i.test(declared) && isText(value, /^-?\d{1,18}$/)),
  },
  { type: 'DOUBLE', fits: (value) => typeof value === 'number' },
  {
    type: 'TIMESTAMPTZ',
    fits: (value, declared) =>
      /timestamp/i.test(declared) && isText(value, /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/),
  },
  {
    type: 'TIMESTAMP',
    fits: (value, declared) => /timestamp/i.test(declared) && isText(value, /^\d{4}-\d\d-\d\dT[\d:.]+$/),
  },
  { type: 'DATE', fits: (value, declared) => /^date$/i.test(declared) && isText(value, /^\d{4}-\d\d-\d\d$/) },
]

const FALLBACK_TYPE = 'VARCHAR'
const DECIMAL = /^DECIMAL\(\d+,\s*\d+\)$/i

/** Exact decimals are text; the declared type has the number of digits. */
function candidatesOf({ type }: ResultColumn): Candidate[] {
  if (!DECIMAL.test(type ?? '')) return [...CANDIDATES]
  return [{ type: type ?? '', fits: (value) => isText(value, /^-?\d+(\.\d+)?$/) }, ...CANDIDATES]
}

export function createTypeObserver(columns: readonly ResultColumn[]): TypeObserver {
  const fitting = columns.map(candidatesOf)
  const isAbsent = columns.map(() => true)
  return {
    observe(row) {
      for (const [index, value] of row.entries()) {
        if (value === null) continue
        isAbsent[index] = false
        const declared = columns[index]?.type ?? ''
        fitting[index] = (fitting[index] ?? []).filter(({ fits }) => fits(value, declared))
      }
    },
    types: () =>
      columns.map(({ name }, index) => {
        const [first] = isAbsent[index] === true ? [] : (fitting[index] ?? [])
        return { name, type: first?.type ?? FALLBACK_TYPE }
      }),
  }
}

function isText(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value)
}
