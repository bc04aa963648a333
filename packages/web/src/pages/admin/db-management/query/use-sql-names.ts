import type { Connection, Table } from '@binnacle/contract'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { tableQueries } from '#data/databases/tables.ts'
import { logOnly } from '#data/failure.ts'
import type { SqlDialect, SqlNames } from '#ui/sql/sql-editor.tsx'
import { mentionedTables } from './mentioned-tables.ts'

const NO_TABLES: readonly Table[] = []
const dialects = new Map<string, SqlDialect>([
  ['sqlite', 'sqlite'],
  ['postgresql', 'postgresql'],
])

/** What the editor completes. A load that fails here costs completions only, so it is no message for the person. */
export function useSqlNames({ id, type }: Connection, statement: string): SqlNames {
  const { data: tables = NO_TABLES } = useQuery(tableQueries.list(id, { onFailure: logOnly }))
  const mentioned = mentionedTables(
    statement,
    tables.map(({ name }) => name),
  )
  const columns = useQueries({
    queries: mentioned.map((table) =>
      tableQueries.schema({ connectionId: id, table }, { onFailure: logOnly }),
    ),
    combine: (loads) =>
      Object.fromEntries(
        mentioned.map((table, index) => [table, loads[index]?.data?.map(({ name }) => name) ?? []]),
      ),
  })
  return useMemo(
    () => ({
      dialect: dialects.get(type) ?? 'standard',
      tables: { ...Object.fromEntries(tables.map(({ name }) => [name, []])), ...columns },
    }),
    [type, tables, columns],
  )
}
