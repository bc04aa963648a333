import type { DataSet, Instrument } from '@binnacle/contract'
import { useState } from 'react'
import { Button } from '#ui/control/button.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { copy } from './copy.ts'
import { GapsDialog, partsWithGaps } from './gaps-dialog.tsx'
import { ImportDialog } from './import-dialog.tsx'

export interface DataSetToolsProps {
  sets: readonly DataSet[]
  instruments: readonly Instrument[]
  onShow: (instrument: string, dataSet: string) => void
}

/** Import, and the gaps of what was imported. */
export function DataSetTools({ sets, instruments, onShow }: DataSetToolsProps) {
  const [opened, setOpened] = useState<'import' | 'gaps'>()
  const parts = partsWithGaps(sets)
  const count = parts.reduce((sum, { gaps }) => sum + gaps, 0)
  const close = () => setOpened(undefined)
  return (
    <>
      <Button onClick={() => setOpened('import')}>{copy.imports.open}</Button>
      {count > 0 && (
        <Button onClick={() => setOpened('gaps')}>
          {copy.gaps.open} <Badge tone="warn">{count}</Badge>
        </Button>
      )}
      <ImportDialog opened={opened === 'import'} instruments={instruments} onClose={close} onShow={onShow} />
      {parts.length > 0 && <GapsDialog opened={opened === 'gaps'} parts={parts} onClose={close} />}
    </>
  )
}
