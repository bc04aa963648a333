import type { FILTER_OPERATORS, Narrowing } from '@binnacle/contract'

/** Empty texts mean unsorted and unfiltered. */
export interface NarrowingDraft {
  sort: string
  isDescending: boolean
  column: string
  operator: (typeof FILTER_OPERATORS)[number]
  value: string
}

export function draftOf(narrowing: Narrowing): NarrowingDraft {
  return {
    sort: narrowing.sort ?? '',
    isDescending: narrowing.order === 'desc',
    column: narrowing.filter_column ?? '',
    operator: narrowing.filter_operator ?? 'contains',
    value: narrowing.filter_value ?? '',
  }
}

export function takesValue({ operator }: NarrowingDraft): boolean {
  return operator !== 'null' && operator !== 'not-null'
}

export function narrowingOf({ sort, isDescending, column, operator, value }: NarrowingDraft): Narrowing {
  return {
    ...(sort !== '' && { sort, order: isDescending ? ('desc' as const) : ('asc' as const) }),
    ...(column !== '' && { filter_column: column, filter_operator: operator, filter_value: value }),
  }
}
