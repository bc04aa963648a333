import type { ExportFormat } from '@binnacle/contract'
import { useState } from 'react'
import { EXPORT_JOB, useDataExport, useExportDownload, useExports } from '#data/data-exports.ts'
import { isActive, useJobsOf } from '#data/jobs.ts'
import { formatBytes } from '#format/bytes.ts'
import { formatInstant } from '#format/time.ts'
import { notify, notifyFailure } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { SelectField, SwitchField } from '#ui/control/field.tsx'
import { saveFile } from '#ui/control/save-file.ts'
import { PageDrawer } from '#ui/frame/drawer.tsx'
import { Entry, EntryList } from '#ui/list/entry-list.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { ProgressLine } from '#ui/state/progress-line.tsx'
import { copy } from './copy.ts'
import classes from './export-drawer.module.css'

const { exports: words } = copy

/** MAINT-23: chosen stores as one file, and the files that were made since the server started. */
export function ExportDrawer({ onClose }: { onClose: () => void }) {
  const { stores, files } = useExports()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [format, setFormat] = useState<ExportFormat>('csv')
  const start = useDataExport({
    onDone: (message) => notify('success', message || words.done),
    onFailure: notifyFailure(words.failed, words.unknown),
  })
  const download = useExportDownload({
    onDone: ({ name, content }) => saveFile(name, content),
    onFailure: notifyFailure(words.downloadFailed, words.readUnknown),
  })
  const running = useJobsOf([EXPORT_JOB], start.isPending).filter(isActive)
  const chosen = (stores ?? []).map(({ id }) => id).filter((id) => !left.has(id))
  const toggle = (id: string) =>
    setLeft(
      (before) => new Set(before.has(id) ? [...before].filter((other) => other !== id) : [...before, id]),
    )
  return (
    <PageDrawer title={words.title} onClose={onClose}>
      <p className={classes.note}>{words.text}</p>
      <fieldset className={classes.stores}>
        <legend>{words.stores}</legend>
        {stores === undefined && <p className={classes.note}>{words.loading}</p>}
        {stores?.map(({ id, name }) => (
          <SwitchField key={id} label={name} checked={!left.has(id)} onChange={() => toggle(id)} />
        ))}
      </fieldset>
      <SelectField label={words.format} value={format} options={words.formats} onChange={setFormat} />
      <Button
        kind="primary"
        busy={start.isPending || running.length > 0}
        disabled={chosen.length === 0}
        onClick={() => start.run({ stores: chosen, format })}
      >
        {words.start}
      </Button>
      {running.map(({ id, title, progress, message }) => (
        <ProgressLine key={id} title={title} progress={progress} message={message} />
      ))}
      <h3>{words.files}</h3>
      {files?.length === 0 && <EmptyState title={words.none} />}
      <EntryList label={words.files}>
        {(files ?? []).map(({ name, size, created_at }) => (
          <Entry key={name} name={formatInstant(created_at)} note={formatBytes(size)}>
            <Button
              busy={download.pendingSubjects.has(name)}
              aria-label={words.downloadNamed(name)}
              onClick={() => download.run(name)}
            >
              {words.download}
            </Button>
          </Entry>
        ))}
      </EntryList>
    </PageDrawer>
  )
}
