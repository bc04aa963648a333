import type { DataSetUpload, Id, Instrument } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataSetQueries, isEnded, useImport, useIsImportSending, useUpload } from '#data/data-sets.ts'
import { problemText } from '#data/failure.ts'
import type { FormFailure } from '#form-failure.ts'
import { formFailure, toastFailureAfterUnmount } from '#state/command-failures.ts'
import { Button } from '#ui/control/button.tsx'
import { Dialog, DialogActions } from '#ui/control/dialog.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { ProgressLine } from '#ui/state/progress-line.tsx'
import { copy } from './copy.ts'
import classes from './import-dialog.module.css'
import { formOf, type ImportForm, mappingOf } from './import-form.ts'
import { ImportReport } from './import-report.tsx'
import { MappingFields } from './mapping-fields.tsx'

export interface ImportDialogProps {
  opened: boolean
  instruments: readonly Instrument[]
  onClose: () => void
  /** Shows imported bars on the chart. */
  onShow: (instrument: string, dataSet: string) => void
}

const { imports } = copy

/** MKT-50: file, mapping, check of the whole file, import with its progress, report. */
export function ImportDialog({ opened, instruments, onClose, onShow }: ImportDialogProps) {
  const [upload, setUpload] = useState<DataSetUpload>()
  const isSending = useIsImportSending()
  const close = () => {
    setUpload(undefined)
    onClose()
  }
  return (
    <Dialog title={imports.title} size="large" opened={opened} busy={isSending} onClose={close}>
      {upload === undefined ? (
        <FileStep onUploaded={setUpload} />
      ) : (
        <MappingStep
          key={upload.upload_id}
          upload={upload}
          instruments={instruments}
          onClose={close}
          onShow={(instrument, dataSet) => {
            close()
            onShow(instrument, dataSet)
          }}
        />
      )}
    </Dialog>
  )
}

function FileStep({ onUploaded }: { onUploaded: (upload: DataSetUpload) => void }) {
  const upload = useUpload({ onFailure: toastFailureAfterUnmount(imports.uploadUnknown), onDone: onUploaded })
  const failure =
    upload.failure && formFailure(upload.failure, { unknown: imports.uploadUnknown, fields: [] })
  return (
    <div className={classes.step}>
      <p>{imports.fileHint}</p>
      <label className={classes.file}>
        {imports.file}
        <input
          type="file"
          accept=".csv,.parquet"
          disabled={upload.isPending}
          // Without a value the same file can be chosen again.
          onClick={({ currentTarget }) => {
            currentTarget.value = ''
          }}
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file) upload.run(file)
          }}
        />
      </label>
      {upload.isPending && (
        <>
          <p role="status">{imports.uploading}</p>
          <DialogActions>
            <Button onClick={upload.cancel}>{imports.cancelUpload}</Button>
          </DialogActions>
        </>
      )}
      {upload.isCancelled && <p role="status">{imports.uploadCancelled}</p>}
      {failure?.text !== undefined && <Notice tone="bad" title={failure.text} isAlert />}
    </div>
  )
}

interface MappingStepProps extends Pick<ImportDialogProps, 'instruments' | 'onClose' | 'onShow'> {
  upload: DataSetUpload
}

function MappingStep({ upload, instruments, onClose, onShow }: MappingStepProps) {
  const [form, setForm] = useState<ImportForm>(() =>
    formOf(
      upload,
      instruments.map(({ id }) => id),
    ),
  )
  const mapping = mappingOf(form)
  const { data: preview, error } = useQuery(
    dataSetQueries.preview(upload.upload_id, form.instrument, mapping),
  )
  const work = useImportWork()
  const run = (isDryRun: boolean) => {
    if (mapping === undefined) return
    const { name, instrument, mode } = form
    work.run({ upload_id: upload.upload_id, name, instrument, mapping, mode, dry_run: isDryRun })
  }
  const report = work.progress?.report ?? undefined
  const isImported = report !== undefined && !report.dry_run
  return (
    <form
      className={classes.step}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        run(false)
      }}
    >
      {!isImported && (
        <MappingFields
          upload={upload}
          instruments={instruments}
          form={form}
          onChange={setForm}
          failure={work.failure}
        />
      )}
      {mapping === undefined && <p>{imports.incomplete}</p>}
      {error !== null && <Notice tone="bad" title={problemText(error) ?? imports.previewFailed} />}
      {preview && !report && (
        <p>{imports.preview(preview.interval, preview.rows_examined, preview.bad_rows)}</p>
      )}
      {work.isRunning && (
        <ProgressLine
          title={work.progress?.title ?? imports.title}
          progress={work.progress?.progress ?? 0}
          message={work.progress?.message}
        />
      )}
      {work.progress?.error && <Notice tone="bad" title={work.progress.error} isAlert />}
      {work.failure?.text !== undefined && <Notice tone="bad" title={work.failure.text} isAlert />}
      {report && <ImportReport report={report} />}
      <DialogActions>
        {isImported ? (
          <Button kind="primary" onClick={() => onShow(report.instrument, report.name)}>
            {imports.show}
          </Button>
        ) : (
          <>
            <Button kind="primary" type="submit" busy={work.isRunning} disabled={mapping === undefined}>
              {imports.submit}
            </Button>
            <Button disabled={mapping === undefined || work.isRunning} onClick={() => run(true)}>
              {imports.check}
            </Button>
          </>
        )}
        <Button disabled={work.isSending} onClick={onClose}>
          {imports.close}
        </Button>
      </DialogActions>
    </form>
  )
}

/** The job of the last check or import, followed to its end. */
function useImportWork() {
  const [job, setJob] = useState<Id>()
  const start = useImport({
    onStart: () => setJob(undefined),
    onFailure: toastFailureAfterUnmount(imports.unknown),
    onDone: ({ job_id: id }) => setJob(id),
  })
  const { data: progress } = useQuery(dataSetQueries.progress(job))
  const failure: FormFailure | undefined =
    start.failure && formFailure(start.failure, { unknown: imports.unknown, fields: ['name', 'instrument'] })
  return {
    run: start.run,
    failure,
    progress,
    isSending: start.isPending,
    isRunning: start.isPending || (job !== undefined && (progress === undefined || !isEnded(progress))),
  }
}
