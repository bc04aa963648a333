import { tables } from '@binnacle/contract'
import { type Command, type CommandOptions, useCommand } from '#data/command.ts'
import { type DownloadedFile, download } from '#data/transport/download.ts'
import { type ExportChoice, exportOptions, idleTimeoutMs } from './export-choice.ts'
import type { RowsRef } from './tables.ts'

export interface TableExportRequest extends RowsRef {
  choice: ExportChoice
}

const TABLE_EXPORT = ['table-export']

export function useExportTable(
  options: CommandOptions<TableExportRequest, DownloadedFile>,
): Command<TableExportRequest> {
  return useCommand(
    {
      key: TABLE_EXPORT,
      subject: ({ table }) => table,
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
