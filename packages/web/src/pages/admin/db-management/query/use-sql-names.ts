import type { Connection, Table } from '@binnacle/contract'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { tableQueries } from '#data/databases/tables.ts'
import { logOnly } from '#data/failure.ts'
import type { SqlDialect, SqlNames } from '#ui/sql/sql-editor.tsx'

const NO_TABLES: readonly Table[] = []
const dialects = new Map<string, SqlDialect>([
  ['sqlite', 'sqlite'],
  ['postgresql', 'postgresql'],
])

/** Names for completion. A failed load only costs completions, so it is logged and not shown. */
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

/** Limits the schema requests of one statement. */
const MAX_TABLES = 8

/** The tables a statement names; only their columns are loaded for completion. */
export function mentionedTables(statement: string, tables: readonly string[]): readonly string[] {
  const lower = statement.toLowerCase()
  return tables.filter((name) => containsWord(lower, name.toLowerCase())).slice(0, MAX_TABLES)
}

function containsWord(text: string, word: string): boolean {
  const parts = text.split(word)
  return parts.some(
    (before, index) =>
      index + 1 < parts.length && !isWordPart(before.at(-1)) && !isWordPart(parts[index + 1]?.at(0)),
  )
}

function isWordPart(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_$]/u.test(character)
}
