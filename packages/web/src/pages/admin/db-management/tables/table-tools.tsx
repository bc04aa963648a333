import type { ConnectionAbilities, RowFilter } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { EXPORT_CHOICES, type ExportChoice } from '#data/databases/export-choice.ts'
import { exportSubject, useExportTable } from '#data/databases/table-exports.ts'
import { type TableRef, tableQueries } from '#data/databases/tables.ts'
import { logOnly } from '#data/failure.ts'
import { formatBytes } from '#format/bytes.ts'
import { toastFailure } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { SelectField } from '#ui/control/field.tsx'
import { saveFile } from '#ui/control/save-file.ts'
import { copy } from './copy.ts'
import { RowFilterForm } from './row-filter-form.tsx'
import classes from './table-tools.module.css'

export interface TableToolsProps {
  table: TableRef
  capabilities: ConnectionAbilities
  rowFilter: RowFilter
  onFilter: (rowFilter: RowFilter) => void
}

const formats = EXPORT_CHOICES.map((value) => ({ value, label: copy.formats[value] }))

/** The page itself reports a failed load of the schema. */
const logFailure = { onFailure: logOnly }

export function TableTools({ table, capabilities, rowFilter, onFilter }: TableToolsProps) {
  const [format, setFormat] = useState<ExportChoice>('csv')
  const { data: columns = [] } = useQuery(tableQueries.schema(table, logFailure))
  const { data: storage } = useQuery(tableQueries.storage(table, logFailure))
  const exportRows = useExportTable({
    onFailure: toastFailure(copy.exportFailed, copy.exportUnknown),
    onDone: ({ name, content }) => saveFile(name, content),
  })
  return (
    <>
      {storage && (
        <p className={classes.storage}>
          {copy.storage(storage.files, storage.row_groups, formatBytes(storage.bytes))}
        </p>
      )}
      <div className={classes.tools}>
        {(capabilities.sort || capabilities.filter) && (
          <RowFilterForm
            columns={columns.map(({ name }) => name)}
            capabilities={capabilities}
            rowFilter={rowFilter}
            onFilter={onFilter}
          />
        )}
        <SelectField
          label={copy.exportAs}
          labelHidden
          value={format}
          options={formats}
          onChange={setFormat}
        />
        <Button
          busy={exportRows.pendingSubjects.has(exportSubject(table))}
          onClick={() => exportRows.run({ ...table, rowFilter, choice: format })}
        >
          {copy.export}
        </Button>
      </div>
    </>
  )
}
