import { tables } from '@binnacle/contract'
import { type Command, type CommandOptions, useCommand } from '#data/command.ts'
import { type DownloadedFile, download } from '#data/transport/download.ts'
import { type ExportChoice, exportOptions, idleTimeoutMs } from './export-choice.ts'
import type { RowsRef } from './tables.ts'

export interface TableExportRequest extends RowsRef {
  choice: ExportChoice
}

/** The same name of another connection is another table. */
export function exportSubject({ connectionId, table }: Pick<RowsRef, 'connectionId' | 'table'>): string {
  return `${connectionId}/${table}`
}

const TABLE_EXPORT = ['table-export']

export function useExportTable(
  options: CommandOptions<TableExportRequest, DownloadedFile>,
): Command<TableExportRequest> {
  return useCommand(
    {
      key: TABLE_EXPORT,
      subject: exportSubject,
      send: ({ connectionId, table, rowFilter = {}, choice }) =>
        download(
          tables.export,
          { params: { conn: connectionId, table }, query: { ...rowFilter, ...exportOptions(choice) } },
          idleTimeoutMs(choice),
        ),
    },
    options,
  )
}
