import type { Heartbeat } from '@binnacle/contract'
import { IconHeartbeat } from '@tabler/icons-react'
import { type SubmitEvent, useState } from 'react'
import type { HeartbeatRequest } from '#data/alerts.ts'
import type { FormFailure } from '#form-failure.ts'
import { formatDuration } from '#format/duration.ts'
import { shortTime } from '#format/short-time.ts'
import { Button } from '#ui/control/button.tsx'
import { SwitchField, TextField } from '#ui/control/field.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Row } from '#ui/frame/grid.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import classes from './watcher-panel.module.css'

const { watcher: words } = copy

export interface WatcherPanelProps {
  /** The threshold of the first rule on the engine's silence, if one is on. */
  silenceS: number | undefined
  /** Milliseconds since the last sign of life; undefined: unknown. */
  ageMs: number | undefined
  heartbeat: Heartbeat | undefined
  busy: boolean
  failure: FormFailure | undefined
  onSave: (request: HeartbeatRequest, onSaved: () => void) => void
}

/** ALERT-24: silence raises an alert by itself, and somebody outside is called while the engine lives. */
export function WatcherPanel(props: WatcherPanelProps) {
  const { silenceS, ageMs, heartbeat } = props
  const [isEditing, setIsEditing] = useState(false)
  const isAlive = ageMs !== undefined && ageMs < (silenceS ?? 20) * 1000
  return (
    <Card
      title={words.title}
      aside={
        <span className={classes.state} data-alive={isAlive || undefined}>
          <IconHeartbeat size={14} stroke={1.5} aria-hidden />
          {isAlive ? words.alive(formatDuration(ageMs)) : words.silent}
        </span>
      }
    >
      <p className={classes.text}>{silenceS === undefined ? words.off : words.text(silenceS)}</p>
      <div className={classes.outside}>
        <span>{words.outside}</span>
        <span className={classes.dim}>{heartbeat === undefined ? '' : outsideText(heartbeat)}</span>
        {!isEditing && heartbeat !== undefined && (
          <Button onClick={() => setIsEditing(true)}>{words.edit}</Button>
        )}
      </div>
      {isEditing && heartbeat !== undefined && (
        <WatcherForm {...props} heartbeat={heartbeat} onClose={() => setIsEditing(false)} />
      )}
    </Card>
  )
}

interface WatcherFormProps extends Pick<WatcherPanelProps, 'busy' | 'failure' | 'onSave'> {
  heartbeat: Heartbeat
  onClose: () => void
}

function WatcherForm({ heartbeat, busy, failure, onSave, onClose }: WatcherFormProps) {
  const [isEnabled, setIsEnabled] = useState(heartbeat.is_enabled || heartbeat.host === null)
  const [url, setUrl] = useState('')
  const [everyS, setEveryS] = useState(String(heartbeat.every_s))
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const request = { is_enabled: isEnabled, every_s: Number(everyS), ...(url !== '' && { url }) }
    onSave(request, onClose)
  }
  return (
    <form className={classes.form} aria-label={words.outside} noValidate onSubmit={submit}>
      <p className={classes.text}>{words.outsideText}</p>
      <SwitchField label={words.enabled} checked={isEnabled} onChange={setIsEnabled} />
      <TextField
        label={words.url}
        type="url"
        value={url}
        error={failure?.fields.url}
        hint={words.urlHint}
        onChange={setUrl}
      />
      <TextField
        label={words.everyS}
        inputMode="numeric"
        value={everyS}
        error={failure?.fields.every_s}
        onChange={setEveryS}
      />
      {failure?.text !== undefined && <Notice tone="bad" title={failure.text} isAlert />}
      <Row align="end">
        <Button type="submit" busy={busy}>
          {words.save}
        </Button>
        <Button onClick={onClose}>{words.cancel}</Button>
      </Row>
    </form>
  )
}

function outsideText({ is_enabled, host, every_s, last_at, last_error }: Heartbeat): string {
  if (!is_enabled || host === null) return words.none
  const last = last_error ?? (last_at ? words.called(shortTime(last_at)) : undefined)
  return last === undefined ? words.every(host, every_s) : `${words.every(host, every_s)} · ${last}`
}
