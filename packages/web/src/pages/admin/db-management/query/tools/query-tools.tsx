import type { Connection, ExportFormat, PlanStep } from '@binnacle/contract'
import { useState } from 'react'
import {
  useExplainQuery,
  useExportQuery,
  useFormatQuery,
  useIsToolBusy,
} from '#data/databases/query-tools.ts'
import { toastFailure } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { SelectField } from '#ui/control/field.tsx'
import { saveFile } from '#ui/control/save-file.ts'
import { copy } from './copy.ts'
import { PlanTree } from './plan-tree.tsx'
import classes from './query-tools.module.css'
import { SavedQueries } from './saved-queries.tsx'

export interface QueryToolsProps {
  connection: Connection
  draft: string
  onDraft: (draft: string) => void
}

const formats = (['csv', 'jsonl', 'parquet'] as const).map((value) => ({ value, label: copy.formats[value] }))

/** What can be done with a statement besides running it. */
export function QueryTools({ connection: { id: connectionId, can }, draft, onDraft }: QueryToolsProps) {
  const [plan, setPlan] = useState<PlanStep>()
  const [format, setFormat] = useState<ExportFormat>('csv')
  const lay = useFormatQuery({
    onFailure: toastFailure(copy.formatFailed),
    onDone: (_, query) => onDraft(query),
  })
  const explain = useExplainQuery({
    onFailure: toastFailure(copy.explainFailed),
    onDone: (_, steps) => setPlan(steps),
  })
  const exportRows = useExportQuery({
    onFailure: toastFailure(copy.exportFailed),
    onDone: (_, { name, content }) => saveFile(name, content),
  })
  const isBusy = useIsToolBusy(connectionId)
  const isBlank = draft.trim() === ''
  const sent = { connectionId, query: draft }
  return (
    <>
      <div className={classes.tools}>
        <Button disabled={isBlank || isBusy} onClick={() => lay(sent)}>
          {copy.format}
        </Button>
        {can?.explain && (
          <Button disabled={isBlank || isBusy} onClick={() => explain(sent)}>
            {copy.explain}
          </Button>
        )}
        <SelectField
          label={copy.exportAs}
          labelHidden
          value={format}
          options={formats}
          onChange={setFormat}
        />
        <Button disabled={isBlank || isBusy} onClick={() => exportRows({ ...sent, format })}>
          {copy.export}
        </Button>
      </div>
      <SavedQueries connectionId={connectionId} draft={draft} onPick={onDraft} />
      {plan && <PlanTree plan={plan} />}
    </>
  )
}
