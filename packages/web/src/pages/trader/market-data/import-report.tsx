import type { DataSetReport } from '@binnacle/contract'
import { formatQuantity } from '#format/money.ts'
import { formatDateTime } from '#format/time.ts'
import { Cell, Table } from '#ui/list/table.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import classes from './import-dialog.module.css'

export interface ImportReportProps {
  report: DataSetReport
}

const { imports } = copy

/** MKT-52: what was stored, and each row that was left out with its reason. */
export function ImportReport({ report }: ImportReportProps) {
  const figures = [
    [imports.rows, formatQuantity(report.rows)],
    [imports.stored, formatQuantity(report.bars)],
    [imports.bad, formatQuantity(report.bad_rows)],
    [imports.duplicates, formatQuantity(report.duplicates)],
    [imports.rounded, formatQuantity(report.rounded)],
    [imports.gapCount, formatQuantity(report.gaps)],
    [imports.from, report.from ? formatDateTime(report.from) : copy.none],
    [imports.to, report.to ? formatDateTime(report.to) : copy.none],
  ] as const
  return (
    <>
      <Notice
        tone={report.bad_rows > 0 ? 'warn' : 'good'}
        title={report.dry_run ? imports.checked : imports.imported(report.name)}
      />
      <dl className={classes.figures}>
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {report.bad.length > 0 && (
        <Table
          label={imports.bad}
          columns={[{ title: imports.line, align: 'end' }, { title: imports.reason }]}
        >
          {report.bad.map(({ line, reason }) => (
            <tr key={line}>
              <Cell align="end">{line}</Cell>
              <Cell>{reason}</Cell>
            </tr>
          ))}
        </Table>
      )}
    </>
  )
}
