import type { Connection, PlanStep } from '@binnacle/contract'
import { useState } from 'react'
import { EXPORT_CHOICES, type ExportChoice } from '#data/databases/export-choice.ts'
import { useClearQueryError } from '#data/databases/queries.ts'
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
  /** Puts a saved query into the editor. */
  onPick: (query: string) => void
}

const formats = EXPORT_CHOICES.map((value) => ({ value, label: copy.formats[value] }))

/** Format, explain, export and save the statement in the editor. */
export function QueryTools({
  connection: { id: connectionId, can: capabilities },
  draft,
  onDraft,
  onPick,
}: QueryToolsProps) {
  const [plan, setPlan] = useState<PlanStep>()
  const clearError = useClearQueryError(connectionId)
  const [format, setFormat] = useState<ExportChoice>('csv')
  const formatQuery = useFormatQuery({
    onStart: clearError,
    onFailure: toastFailure(copy.formatFailed, copy.unknown.read),
    onDone: (query) => onDraft(query),
  })
  const explain = useExplainQuery({
    // DB-34: a plan must never stand beside a statement it does not belong to.
    onStart: () => {
      setPlan(undefined)
      clearError()
    },
    onFailure: toastFailure(copy.explainFailed, copy.unknown.read),
    onDone: (steps) => setPlan(steps),
  })
  const exportRows = useExportQuery({
    onFailure: toastFailure(copy.exportFailed, copy.unknown.read),
    onDone: ({ name, content }) => saveFile(name, content),
  })
  const isBusy = useIsToolBusy(connectionId)
  const isBlank = draft.trim() === ''
  const request = { connectionId, query: draft }
  return (
    <>
      <div className={classes.tools}>
        <Button disabled={isBlank || isBusy} onClick={() => formatQuery.run(request)}>
          {copy.format}
        </Button>
        {capabilities?.explain && (
          <Button disabled={isBlank || isBusy} onClick={() => explain.run(request)}>
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
        <Button disabled={isBlank || isBusy} onClick={() => exportRows.run({ ...request, choice: format })}>
          {copy.export}
        </Button>
      </div>
      <SavedQueries connectionId={connectionId} draft={draft} onPick={onPick} />
      {plan && <PlanTree plan={plan} />}
    </>
  )
}
