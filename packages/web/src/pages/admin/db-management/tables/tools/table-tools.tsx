import type { ConnectionAbilities, ExportFormat, Narrowing } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useExportTable, useIsExportingTable } from '#data/databases/table-exports.ts'
import { type TableRef, tableQueries } from '#data/databases/tables.ts'
import { logOnly } from '#data/failure.ts'
import { formatBytes } from '#format/bytes.ts'
import { toastFailure } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { SelectField } from '#ui/control/field.tsx'
import { saveFile } from '#ui/control/save-file.ts'
import { copy } from './copy.ts'
import { NarrowingForm } from './narrowing-form.tsx'
import classes from './table-tools.module.css'

export interface TableToolsProps {
  table: TableRef
  can: ConnectionAbilities
  narrowing: Narrowing
  onNarrow: (narrowing: Narrowing) => void
}

const formats = (['csv', 'jsonl', 'parquet'] as const).map((value) => ({ value, label: copy.formats[value] }))

/** The schema that these read is loaded, and its failure told, by the page itself. */
const quietly = { onFailure: logOnly }

export function TableTools({ table, can, narrowing, onNarrow }: TableToolsProps) {
  const [format, setFormat] = useState<ExportFormat>('csv')
  const { data: columns = [] } = useQuery(tableQueries.schema(table, quietly))
  const { data: storage } = useQuery(tableQueries.storage(table, quietly))
  const exportRows = useExportTable({
    onFailure: toastFailure(copy.exportFailed),
    onDone: (_, { name, content }) => saveFile(name, content),
  })
  return (
    <>
      {storage && (
        <p className={classes.storage}>
          {copy.storage(storage.files, storage.row_groups, formatBytes(storage.bytes))}
        </p>
      )}
      <div className={classes.tools}>
        {(can.sort || can.filter) && (
          <NarrowingForm
            columns={columns.map(({ name }) => name)}
            can={can}
            narrowing={narrowing}
            onNarrow={onNarrow}
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
          busy={useIsExportingTable(table.table)}
          onClick={() => exportRows({ ...table, narrowing, format })}
        >
          {copy.export}
        </Button>
      </div>
    </>
  )
}
