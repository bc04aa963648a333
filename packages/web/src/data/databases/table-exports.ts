import { type ExportFormat, tables } from '@binnacle/contract'
import { type ChangeOptions, type StartChange, useChange, useSubjectsUnderWay } from '#data/changes/change.ts'
import { type DownloadedFile, download } from '#data/transport/download.ts'
import type { RowsRef } from './tables.ts'

export interface TableExportSent extends RowsRef {
  format: ExportFormat
}

const TABLE_EXPORT = ['table-export']

export function useExportTable(
  options: ChangeOptions<TableExportSent, DownloadedFile>,
): StartChange<TableExportSent> {
  return useChange({
    key: TABLE_EXPORT,
    subject: ({ table }) => table,
    send: ({ connectionId, table, narrowing = {}, format }) =>
      download(tables.export, { params: { conn: connectionId, table }, query: { ...narrowing, format } }),
    onReply: (file, sent) => options.onDone(sent, file),
    onFailure: options.onFailure,
  })
}

export function useIsExportingTable(table: string): boolean {
  return useSubjectsUnderWay(TABLE_EXPORT).has(table)
}
