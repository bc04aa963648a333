import { useSearchParams } from 'react-router'

/** What is selected on this screen. It is stored in the URL, so a reload or a link restores it. */
export interface DbSelection {
  connection?: string | undefined
  tab: TabName
  table?: string | undefined
  pageIndex: number
}

export const TAB_NAMES = ['tables', 'query', 'backups'] as const
export type TabName = (typeof TAB_NAMES)[number]

export function readSelection(params: URLSearchParams): DbSelection {
  const page = Number(params.get('page') ?? 1)
  return {
    connection: params.get('connection') ?? undefined,
    tab: TAB_NAMES.find((name) => name === params.get('tab')) ?? 'tables',
    table: params.get('table') ?? undefined,
    pageIndex: Number.isSafeInteger(page) && page > 0 ? page - 1 : 0,
  }
}

export function writeSelection({ connection, tab, table, pageIndex }: DbSelection): Record<string, string> {
  return {
    ...(connection !== undefined && { connection }),
    ...(tab !== 'tables' && { tab }),
    ...(table !== undefined && { table }),
    ...(pageIndex > 0 && { page: String(pageIndex + 1) }),
  }
}

/** DB-3: a newly selected connection opens at its tables. */
export function selectConnection(connection: string): DbSelection {
  return { connection, tab: 'tables', pageIndex: 0 }
}

/** DB-11: a newly selected table opens at its first page. */
export function selectTable(selection: DbSelection, table: string): DbSelection {
  return { ...selection, table, pageIndex: 0 }
}

export function useDbSelection(): [selection: DbSelection, navigate: (selection: DbSelection) => void] {
  const [params, setParams] = useSearchParams()
  return [readSelection(params), (selection) => setParams(writeSelection(selection))]
}
