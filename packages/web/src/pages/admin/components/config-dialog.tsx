import { useState } from 'react'
import type { ComponentConfig, ComponentEntry } from '#ports/controls.ts'
import { Button } from '#ui/control/button.tsx'
import { Dialog, DialogActions } from '#ui/control/dialog.tsx'
import { TextAreaField } from '#ui/control/field.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import { parseConfig } from './parse-config.ts'

export interface ConfigDialogProps {
  component: ComponentEntry
  onClose: () => void
  onSave: (config: ComponentConfig) => void
}

export function ConfigDialog({ component, onClose, onSave }: ConfigDialogProps) {
  const [text, setText] = useState(() => JSON.stringify(component.config ?? {}, null, 2))
  const parsed = parseConfig(text)
  return (
    <Dialog title={copy.configOf(component.name)} opened onClose={onClose}>
      <TextAreaField label={copy.configLabel} rows={8} spellCheck={false} value={text} onChange={setText} />
      {'fault' in parsed && <Notice tone="bad" title={parsed.fault} />}
      <DialogActions>
        <Button
          kind="primary"
          disabled={'fault' in parsed}
          onClick={() => 'config' in parsed && onSave(parsed.config)}
        >
          {copy.save}
        </Button>
        <Button onClick={onClose}>{copy.cancel}</Button>
      </DialogActions>
    </Dialog>
  )
}
