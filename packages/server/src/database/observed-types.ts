import type { ResultColumn } from '@binnacle/contract'

/** Learns from the rows themselves what type each column can have; a declared type alone may promise too much. */
export interface TypeWatch {
  see(row: readonly unknown[]): void
  types(): { name: string; type: string }[]
}

interface Candidate {
  type: string
  fits(value: unknown, declared: string): boolean
}

/** The narrowest first; the last fits everything. */
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

const ANYTHING = 'VARCHAR'
const DECIMAL = /^DECIMAL\(\d+,\s*\d+\)$/i

/** Exact decimals travel as text; the declared type says how many digits they have. */
function candidatesOf({ type }: ResultColumn): Candidate[] {
  if (!DECIMAL.test(type ?? '')) return [...CANDIDATES]
  return [{ type: type ?? '', fits: (value) => isText(value, /^-?\d+(\.\d+)?$/) }, ...CANDIDATES]
}

export function createTypeWatch(columns: readonly ResultColumn[]): TypeWatch {
  const fitting = columns.map(candidatesOf)
  const isAbsent = columns.map(() => true)
  return {
    see(row) {
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
        return { name, type: first?.type ?? ANYTHING }
      }),
  }
}

function isText(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value)
}
