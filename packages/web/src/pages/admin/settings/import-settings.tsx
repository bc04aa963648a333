import { useState } from 'react'
import { ApiError } from '#data/failure.ts'
import { type ImportPreview, usePreviewImport } from '#data/system-settings.ts'
import { formFailure, toastFailureAfterUnmount } from '#state/command-failures.ts'
import { Button } from '#ui/control/button.tsx'
import { Dialog, DialogActions } from '#ui/control/dialog.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy, live } from './copy.ts'
import { DifferenceList } from './difference-list.tsx'
import classes from './import-settings.module.css'
import { readSettingsFile, type Settings } from './settings-file.ts'

export interface ImportSettingsProps {
  opened: boolean
  onClose: () => void
  onApply: (settings: Settings, version: number) => void
}

/** SET-16: the file is chosen, what it would change is shown, and only then it is applied. */
export function ImportSettings({ opened, onClose, onApply }: ImportSettingsProps) {
  const [previewed, setPreviewed] = useState<{ settings: Settings; preview: ImportPreview }>()
  const [fault, setFault] = useState<string>()
  const previewing = usePreviewImport({
    onFailure: toastFailureAfterUnmount(live.previewUnknown),
    onDone: (preview, settings) => setPreviewed({ settings, preview }),
  })
  const choose = async (file: File) => {
    setPreviewed(undefined)
    previewing.reset()
    const read = readSettingsFile(await file.text())
    setFault(read.ok ? undefined : read.error)
    if (read.ok) previewing.run(read.settings)
  }
  const close = () => {
    setPreviewed(undefined)
    setFault(undefined)
    previewing.reset()
    onClose()
  }
  const apply = () => {
    if (previewed) onApply(previewed.settings, previewed.preview.version)
    close()
  }
  const preview = previewed?.preview
  return (
    <Dialog title={live.importTitle} opened={opened} busy={previewing.isPending} onClose={close}>
      <div className={classes.step}>
        <label className={classes.file}>
          {live.file}
          <input
            type="file"
            accept=".json,application/json"
            // A second file would be sent while the preview of the first one is pending.
            disabled={previewing.isPending}
            onChange={({ target }) => {
              const [file] = target.files ?? []
              if (file) void choose(file)
            }}
          />
        </label>
        {fault !== undefined && <Notice tone="bad" title={fault} isAlert />}
        {previewing.failure && <Refusal failure={previewing.failure} />}
        {preview?.changes.length === 0 && <p role="status">{live.nothingToChange}</p>}
        {preview && preview.changes.length > 0 && (
          <>
            <p role="status">{live.wouldChange(preview.changes.length)}</p>
            <DifferenceList label={live.changes} changes={preview.changes} />
          </>
        )}
      </div>
      <DialogActions>
        <Button kind="primary" disabled={!preview || preview.changes.length === 0} onClick={apply}>
          {live.apply}
        </Button>
        <Button disabled={previewing.isPending} onClick={close}>
          {live.cancel}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

type Failure = NonNullable<ReturnType<typeof usePreviewImport>['failure']>

/** SET-17: every key that was refused, with its reason. */
function Refusal({ failure }: { failure: Failure }) {
  const { error } = failure
  const faults = (error instanceof ApiError && error.problem?.errors) || []
  if (faults.length === 0) {
    const { text } = formFailure(failure, { unknown: live.previewUnknown, fields: [] })
    return <Notice tone="bad" title={text ?? copy.failed} isAlert />
  }
  return (
    <Notice tone="bad" title={live.importRefused} isAlert>
      <ul aria-label={live.importRefused}>
        {faults.map(({ field, message }) => (
          <li key={field}>
            <code>{field.replace(/^body\.settings\./, '')}</code> {message}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
