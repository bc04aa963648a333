import type { Backtest, BacktestLabels } from '@binnacle/contract'
import { type SubmitEvent, useState } from 'react'
import type { FormFailure } from '#form-failure.ts'
import { Button } from '#ui/control/button.tsx'
import { Dialog, DialogActions } from '#ui/control/dialog.tsx'
import { TextAreaField, TextField } from '#ui/control/field.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import classes from './promote-dialog.module.css'

export interface LabelsDialogProps {
  run: Backtest
  opened: boolean
  busy: boolean
  failure: FormFailure | undefined
  onClose: () => void
  onSubmit: (labels: Pick<BacktestLabels, 'tags' | 'note'>) => void
}

/** BT-32 */
export function LabelsDialog({ opened, ...rest }: LabelsDialogProps) {
  return (
    <Dialog
      title={copy.labels.title(copy.name(rest.run.id))}
      size="small"
      opened={opened}
      busy={rest.busy}
      onClose={rest.onClose}
    >
      <LabelsForm {...rest} />
    </Dialog>
  )
}

function LabelsForm({ run, busy, failure, onClose, onSubmit }: Omit<LabelsDialogProps, 'opened'>) {
  const [tags, setTags] = useState(() => (run.tags ?? []).join(', '))
  const [note, setNote] = useState(run.note ?? '')
  const { labels } = copy
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSubmit({ tags: tagsIn(tags), note })
  }
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      <TextField
        label={labels.tags}
        hint={labels.tagsHint}
        data-autofocus
        value={tags}
        error={failure?.fields.tags}
        onChange={setTags}
      />
      <TextAreaField label={labels.note} value={note} rows={4} onChange={setNote} />
      {failure?.text !== undefined && <Notice tone="bad" title={failure.text} isAlert />}
      <DialogActions>
        <Button kind="primary" type="submit" busy={busy}>
          {labels.save}
        </Button>
        <Button disabled={busy} onClick={onClose}>
          {labels.cancel}
        </Button>
      </DialogActions>
    </form>
  )
}

/** Each once, in the order in which they were typed. */
function tagsIn(text: string): string[] {
  return [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '')
}
