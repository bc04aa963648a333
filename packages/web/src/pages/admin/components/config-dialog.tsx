import { type SubmitEvent, useState } from 'react'
import type { ComponentConfig, ComponentEntry } from '#ports/controls.ts'
import { Button } from '#ui/control/button.tsx'
import { Dialog, DialogActions } from '#ui/control/dialog.tsx'
import { TextAreaField } from '#ui/control/field.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import { parseConfig } from './parse-config.ts'

export interface ConfigDialogProps {
  component: ComponentEntry
  /** It is being saved. */
  busy: boolean
  /** Why the server refused the last try. */
  refusal: string | undefined
  onClose: () => void
  onSave: (config: ComponentConfig) => void
}

export function ConfigDialog({ component, busy, refusal, onClose, onSave }: ConfigDialogProps) {
  const [text, setText] = useState(() => JSON.stringify(component.config ?? {}, null, 2))
  const parsed = parseConfig(text)
  const fault = 'fault' in parsed ? parsed.fault : refusal
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    if ('config' in parsed) onSave(parsed.config)
  }
  return (
    <Dialog title={copy.configOf(component.name)} opened busy={busy} onClose={onClose}>
      <form onSubmit={save}>
        <TextAreaField label={copy.configLabel} rows={8} spellCheck={false} value={text} onChange={setText} />
        {fault !== undefined && <Notice tone="bad" title={fault} isAlert />}
        <DialogActions>
          <Button type="submit" kind="primary" busy={busy} disabled={'fault' in parsed}>
            {copy.save}
          </Button>
          <Button disabled={busy} onClick={onClose}>
            {copy.cancel}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
