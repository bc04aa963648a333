import type { Backup } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { backupQueries } from '#data/databases/backups.ts'
import { formatInstant } from '#format/time.ts'
import { type DataColumn, DataTable } from '#ui/list/data-table.tsx'
import { sizeText } from './backup-view.ts'
import classes from './backups.module.css'
import { copy } from './copy.ts'

/** STORE-65: what is left of connections that were deleted. Empty without any. */
export function RemovedBackups() {
  const { data: removed = [] } = useQuery(backupQueries.removed())
  if (removed.length === 0) return null
  return (
    <section aria-label={copy.removed.title}>
      <h3>{copy.removed.title}</h3>
      <p className={classes.reason}>{copy.removed.hint}</p>
      <DataTable
        label={copy.removed.title}
        columns={COLUMNS}
        rows={removed}
        rowKey={({ id }) => String(id)}
      />
    </section>
  )
}

const COLUMNS: DataColumn<Backup>[] = [
  {
    title: copy.removed.connection,
    value: (row) => row.connection_name,
    cell: (row) => row.connection_name ?? copy.unknownSize,
  },
  {
    title: copy.removed.database,
    mono: true,
    value: (row) => row.target,
    cell: (row) => row.target ?? copy.unknownSize,
  },
  { title: copy.columns.size, align: 'end', value: (row) => row.backup_size, cell: sizeText },
  {
    title: copy.columns.created,
    value: (row) => row.created_at,
    cell: (row) => formatInstant(row.created_at),
  },
  {
    title: copy.columns.path,
    mono: true,
    value: (row) => row.backup_path,
    cell: (row) => <span className={classes.path}>{row.backup_path}</span>,
  },
]
