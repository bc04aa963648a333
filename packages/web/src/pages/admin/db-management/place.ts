/** Where a person is on this screen; it stands in the address, so that a reload or a link comes back to it. */
export interface Place {
  connection?: string | undefined
  tab: TabName
  table?: string | undefined
  pageIndex: number
}

export const TAB_NAMES = ['tables', 'query', 'backups'] as const
export type TabName = (typeof TAB_NAMES)[number]

export function readPlace(params: URLSearchParams): Place {
  const page = Number(params.get('page') ?? 1)
  return {
    connection: params.get('connection') ?? undefined,
    tab: TAB_NAMES.find((name) => name === params.get('tab')) ?? 'tables',
    table: params.get('table') ?? undefined,
    pageIndex: Number.isSafeInteger(page) && page > 0 ? page - 1 : 0,
  }
}

export function writePlace({ connection, tab, table, pageIndex }: Place): Record<string, string> {
  return {
    ...(connection !== undefined && { connection }),
    ...(tab !== 'tables' && { tab }),
    ...(table !== undefined && { table }),
    ...(pageIndex > 0 && { page: String(pageIndex + 1) }),
  }
}

/** DB-3: another connection begins at its tables. */
export function atConnection(connection: string): Place {
  return { connection, tab: 'tables', pageIndex: 0 }
}

/** DB-11: another table begins at its first page. */
export function atTable(place: Place, table: string): Place {
  return { ...place, table, pageIndex: 0 }
}
