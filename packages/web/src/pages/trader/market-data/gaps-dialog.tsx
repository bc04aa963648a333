import type { DataSet } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataSetQueries } from '#data/data-sets.ts'
import { formatQuantity } from '#format/money.ts'
import { formatDateTime } from '#format/time.ts'
import { Dialog } from '#ui/control/dialog.tsx'
import { SelectField } from '#ui/control/field.tsx'
import { Cell, Table } from '#ui/list/table.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'

export interface GapsDialogProps {
  opened: boolean
  /** With gaps; at least one. */
  parts: readonly GapPart[]
  onClose: () => void
}

export interface GapPart {
  dataSet: string
  instrument: string
  gaps: number
}

/** The instruments of data sets that have gaps. */
export function partsWithGaps(sets: readonly DataSet[]): readonly GapPart[] {
  return sets.flatMap(({ name, instruments }) =>
    instruments
      .filter(({ gaps }) => gaps > 0)
      .map(({ instrument, gaps }) => ({ dataSet: name, instrument, gaps })),
  )
}

/** MKT-53: where bars are missing; an import that adds to the data set fills a gap. */
export function GapsDialog({ opened, parts, onClose }: GapsDialogProps) {
  const [chosen, setChosen] = useState('0')
  const part = parts[Number(chosen)] ?? parts[0]
  return (
    <Dialog title={copy.gaps.title} opened={opened} onClose={onClose}>
      <p>{copy.gaps.hint}</p>
      <SelectField
        label={copy.gaps.dataSet}
        value={chosen}
        options={parts.map(({ dataSet, instrument, gaps }, index) => ({
          value: String(index),
          label: copy.gaps.part(dataSet, instrument, gaps),
        }))}
        onChange={setChosen}
      />
      {part && <Gaps dataSet={part.dataSet} instrument={part.instrument} />}
    </Dialog>
  )
}

function Gaps({ dataSet, instrument }: Pick<GapPart, 'dataSet' | 'instrument'>) {
  const { data, isError } = useQuery(dataSetQueries.gaps(dataSet, instrument))
  if (data === undefined && isError) return <Notice tone="bad" title={copy.gaps.failed} />
  if (data === undefined) return <Loading text={copy.gaps.loading} lines={4} />
  const { columns } = copy.gaps
  return (
    <Table
      label={copy.gaps.title}
      columns={[{ title: columns.from }, { title: columns.to }, { title: columns.missing, align: 'end' }]}
    >
      {data.gaps.map(({ from, to, missing }) => (
        <tr key={from}>
          <Cell>{formatDateTime(from)}</Cell>
          <Cell>{formatDateTime(to)}</Cell>
          <Cell align="end">{formatQuantity(missing)}</Cell>
        </tr>
      ))}
    </Table>
  )
}
