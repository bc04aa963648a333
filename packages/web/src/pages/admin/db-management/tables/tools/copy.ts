export const copy = {
  sort: 'Sort by',
  noSort: 'Unsorted',
  descending: 'Descending',
  filter: 'Filter by',
  noFilter: 'Unfiltered',
  operator: 'Comparison',
  operators: {
    contains: 'contains',
    eq: '=',
    ne: '≠',
    lt: '<',
    le: '≤',
    gt: '>',
    ge: '≥',
    null: 'is null',
    'not-null': 'is not null',
  },
  value: 'Value',
  apply: 'Apply',
  export: 'Export',
  exportAs: 'Export as',
  formats: { csv: 'CSV', jsonl: 'JSON lines', parquet: 'Parquet' },
  exportFailed: 'Failed to export table',
  storage: (files: number, rowGroups: number, size: string) =>
    `${counted(files, 'file')}, ${counted(rowGroups, 'row group')}, ${size}`,
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
}
