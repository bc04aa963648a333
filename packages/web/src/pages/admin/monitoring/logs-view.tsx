import type { LogLine } from '@binnacle/contract'
import { memo, useState } from 'react'
import { problemText } from '#data/failure.ts'
import { useLogLines, useReportDownload } from '#data/monitoring.ts'
import { useLogSubscription } from '#state/stream-subscriptions.ts'
import { notify } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { SwitchField, TextField } from '#ui/control/field.tsx'
import { saveFile } from '#ui/control/save-file.ts'
import { Segments } from '#ui/control/segments.tsx'
import { Card } from '#ui/frame/card.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { Loaded } from '#ui/state/loaded.tsx'
import { copy } from './copy.ts'
import { countOf, filterLines, type LevelChoice } from './log-filter.ts'
import classes from './logs-view.module.css'
import { RequestDrawer } from './request-drawer.tsx'

const { logs: words } = copy

/** MON-12: the latest log lines, newest first, as they are written. */
export function LogsView() {
  useLogSubscription()
  const load = useLogLines()
  return (
    <Loaded load={load} loading={words.loading} failed={words.failed} reason={problemText(load.error)}>
      {(lines) => <LogPanel lines={lines} />}
    </Loaded>
  )
}

function LogPanel({ lines }: { lines: readonly LogLine[] }) {
  const [level, setLevel] = useState<LevelChoice>('all')
  const [text, setText] = useState('')
  /** The lines as they were when Follow was switched off. */
  const [held, setHeld] = useState<readonly LogLine[]>()
  const [requestId, setRequestId] = useState<string>()
  const download = useReportDownload({
    onDone: ({ name, content }) => {
      saveFile(name, content)
      notify('success', words.downloaded)
    },
    onFailure: (error) => {
      notify('error', problemText(error) ?? words.downloadFailed)
      return undefined
    },
  })
  const all = held ?? lines
  const shown = filterLines(all, level, text)
  return (
    <>
      <Card
        title={words.title}
        aside={words.shown(shown.length, all.length)}
        actions={
          <>
            <Segments
              label={words.level}
              labelHidden
              options={levelOptions(all)}
              value={level}
              onChange={setLevel}
            />
            <TextField
              label={words.filter}
              labelHidden
              placeholder={words.filter}
              value={text}
              onChange={setText}
            />
            <SwitchField
              label={words.follow}
              checked={held === undefined}
              onChange={(isFollowing) => setHeld(isFollowing ? undefined : lines)}
            />
            <Button busy={download.isPending} onClick={() => download.run({ kind: 'logs' })}>
              {words.download}
            </Button>
          </>
        }
      >
        {shown.length === 0 ? (
          <EmptyState title={words.empty}>{words.emptyHint}</EmptyState>
        ) : (
          <LogTable lines={shown} onRequest={setRequestId} />
        )}
      </Card>
      {requestId !== undefined && (
        <RequestDrawer id={requestId} lines={lines} onClose={() => setRequestId(undefined)} />
      )}
    </>
  )
}

function levelOptions(lines: readonly LogLine[]): { value: LevelChoice; label: string }[] {
  const { levels } = words
  const counted = (value: 'warn' | 'error') => {
    const count = countOf(lines, value)
    return { value, label: count === 0 ? levels[value] : `${levels[value]} ${count}` }
  }
  return [
    { value: 'all', label: levels.all },
    { value: 'info', label: levels.info },
    counted('warn'),
    counted('error'),
  ]
}

interface LogTableProps {
  lines: readonly LogLine[]
  onRequest: (id: string) => void
}

function LogTable({ lines, onRequest }: LogTableProps) {
  return (
    <div className={classes.scroll}>
      <table className={classes.lines} aria-label={words.title}>
        <thead>
          <tr>
            <th scope="col">{words.time}</th>
            <th scope="col">{words.level}</th>
            <th scope="col">{words.event}</th>
            <th scope="col">{words.text}</th>
            <th scope="col">{words.request}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <LogRow key={`${line.at} ${line.id}`} line={line} onRequest={onRequest} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface LogRowProps extends Pick<LogTableProps, 'onRequest'> {
  line: LogLine
}

/** Rendered once: lines arrive several times a second and do not change. */
const LogRow = memo(({ line, onRequest }: LogRowProps) => {
  const { at, level, event, text, request_id } = line
  return (
    <tr data-level={level}>
      <td>{at.slice(11, 23)}</td>
      <td className={classes.level}>{level.toUpperCase()}</td>
      <td>{event}</td>
      <td className={classes.text}>{text}</td>
      <td>
        {request_id !== null && (
          <button type="button" title={words.openRequest(request_id)} onClick={() => onRequest(request_id)}>
            {request_id.slice(0, 8)}
          </button>
        )}
      </td>
    </tr>
  )
})
