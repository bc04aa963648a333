import { useState } from 'react'
import { problemText } from '#data/failure.ts'
import { fileName, type ReportFile, useReportDownload } from '#data/monitoring.ts'
import { notify } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { TextField } from '#ui/control/field.tsx'
import { saveFile } from '#ui/control/save-file.ts'
import { Card } from '#ui/frame/card.tsx'
import { Grid, Row } from '#ui/frame/grid.tsx'
import { copy } from './copy.ts'
import classes from './monitoring-page.module.css'

const { reports: words } = copy

/** MON-16: files about the server and its day. */
export function ReportsView() {
  const [date, setDate] = useState(() => new Date().toISOString().slice(0, 10))
  const download = useReportDownload({
    onDone: ({ name, content }) => {
      saveFile(name, content)
      notify('success', words.downloaded(name))
    },
    onFailure: (error) => {
      notify('error', problemText(error) ?? words.failed)
      return undefined
    },
  })
  const button = (label: string, file: ReportFile) => (
    <Button busy={download.pendingSubjects.has(fileName(file))} onClick={() => download.run(file)}>
      {label}
    </Button>
  )
  return (
    <Grid min="wide">
      <Card title={words.daily}>
        <p className={classes.note}>{words.dailyText}</p>
        <Row>
          <TextField label={words.date} type="date" value={date} onChange={setDate} />
          {button(words.html, { kind: 'daily', date, format: 'html' })}
          {button(words.csv, { kind: 'daily', date, format: 'csv' })}
        </Row>
      </Card>
      <Card title={words.bundle}>
        <p className={classes.note}>{words.bundleText}</p>
        <Row>{button(words.bundleDownload, { kind: 'support-bundle' })}</Row>
      </Card>
    </Grid>
  )
}
