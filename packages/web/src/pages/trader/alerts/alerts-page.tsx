import { type AlertRule, AlertRuleInput } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { alertQueries, useMuteAlerts, useSaveHeartbeat, useSaveRule, useSendTestAlert } from '#data/alerts.ts'
import { offers } from '#data/capabilities.ts'
import { problemText } from '#data/failure.ts'
import type { FirstLoads } from '#data/first-loads.ts'
import { useSamples } from '#data/samples.ts'
import { shortTime } from '#format/short-time.ts'
import { paths } from '#paths.ts'
import { useAlertInbox } from '#state/alert-inbox.ts'
import { allowNotifications, useNotificationPermission } from '#state/browser-notifications.ts'
import { createFailureToasts, formFailure, toastFailureAfterUnmount } from '#state/command-failures.ts'
import { useNow } from '#state/now.ts'
import { notify } from '#state/toasts.ts'
import { useFreshness } from '#state/topic-freshness.ts'
import { InboxPanel } from '#ui/alert/inbox-panel.tsx'
import { Button } from '#ui/control/button.tsx'
import { Dialog, DialogActions } from '#ui/control/dialog.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { FreshnessBadge } from '#ui/state/freshness-badge.tsx'
import { Loaded } from '#ui/state/loaded.tsx'
import classes from './alerts-page.module.css'
import { ChannelsPanel } from './channels-panel.tsx'
import { copy } from './copy.ts'
import { RulesPanel } from './rules-panel.tsx'
import { useRuleEditor } from './use-rule-editor.tsx'
import { WatcherPanel } from './watcher-panel.tsx'

const SPARK_POINTS = 60

/** SHELL-111 */
export const firstLoads: FirstLoads = (load, backend) => {
  if (!offers(backend, 'alerts')) return
  load(alertQueries.summary())
  load(alertQueries.rules())
  load(alertQueries.channels())
  load(alertQueries.heartbeat())
}

/** The screen of the capability `alerts`. */
export function AlertsPage() {
  const freshness = useFreshness('alerts')
  const summary = useQuery(alertQueries.summary())
  const rules = useQuery(alertQueries.rules())
  const channels = useQuery(alertQueries.channels())
  const editor = useRuleEditor(rules.data?.subjects ?? {}, channels.data ?? [])
  return (
    <Screen
      title={copy.title}
      aside={freshness && <FreshnessBadge {...freshness} />}
      back={{ to: paths.trader, label: copy.back }}
      actions={
        <>
          <MuteControl until={summary.data?.muted_until ?? null} />
          <Button onClick={() => editor.open(undefined)}>{copy.rules.add}</Button>
        </>
      }
    >
      <div className={classes.view}>
        <div className={classes.column}>
          <Inbox />
          <Channels />
          <Watcher rules={rules.data?.rules ?? []} />
        </div>
        <div className={classes.column}>
          <Loaded
            load={rules}
            loading={copy.rules.loading}
            failed={copy.rules.failed}
            reason={problemText(rules.error)}
          >
            {(loaded) => <Rules rules={loaded.rules} chosen={editor.chosen} onChoose={editor.open} />}
          </Loaded>
          {editor.element}
        </div>
      </div>
      {editor.dialog}
    </Screen>
  )
}

function Inbox() {
  return <InboxPanel {...useAlertInbox()} />
}

function Channels() {
  const { data: channels = [] } = useQuery(alertQueries.channels())
  const permission = useNotificationPermission()
  const send = useSendTestAlert({
    ...createFailureToasts({ name: () => 'test alert', unknown: () => copy.channels.unknown }),
    onDone: () => notify('success', copy.channels.sent),
  })
  return (
    <ChannelsPanel
      channels={channels}
      busy={send.isPending}
      onSendTest={() => send.run(null)}
      browser={{ permission, allow: allowNotifications }}
    />
  )
}

function Watcher({ rules }: { rules: readonly AlertRule[] }) {
  const { data: summary } = useQuery(alertQueries.summary())
  const { data: heartbeat } = useQuery(alertQueries.heartbeat())
  const { unknown } = copy.watcher
  const save = useSaveHeartbeat({ onFailure: toastFailureAfterUnmount(unknown) })
  const silence = rules.find(({ watch, is_enabled }) => watch === 'engine' && is_enabled)
  const lastAt = summary?.heartbeat_at
  // It grows also while the server does not answer.
  const now = useNow()
  return (
    <WatcherPanel
      silenceS={silence?.threshold}
      ageMs={lastAt ? Math.max(0, now - Date.parse(lastAt)) : undefined}
      heartbeat={heartbeat}
      busy={save.isPending}
      failure={save.failure && formFailure(save.failure, { unknown, fields: ['url', 'every_s'] })}
      onSave={(request, onSaved) => save.run(request, onSaved)}
    />
  )
}

interface RulesProps {
  rules: readonly AlertRule[]
  chosen: AlertRule | undefined
  onChoose: (rule: AlertRule) => void
}

function Rules({ rules, chosen, onChoose }: RulesProps) {
  const nowS = Math.floor(Date.now() / 60_000) * 60
  const series = [...new Set(rules.flatMap(({ series: name }) => name ?? []))]
  const hour = useSamples({ series, window: { from: nowS - 3600, to: nowS }, points: SPARK_POINTS })
  const save = useSaveRule(
    createFailureToasts({
      name: ({ id }) => `rule ${id}`,
      unknown: ({ rule }) => copy.rules.unknown(rule.name),
    }),
  )
  return (
    <RulesPanel
      rules={rules}
      chosen={chosen?.id}
      hour={hour}
      busy={save.pendingSubjects}
      onChoose={onChoose}
      onToggle={(rule) => {
        const known = Object.entries(rule).filter(([key]) => key in AlertRuleInput.shape)
        const same = AlertRuleInput.parse(Object.fromEntries(known))
        save.run({ id: rule.id, rule: { ...same, is_enabled: !rule.is_enabled } })
      }}
    />
  )
}

function MuteControl({ until }: { until: string | null }) {
  const [isOpen, setIsOpen] = useState(false)
  const mute = useMuteAlerts({
    ...createFailureToasts({ name: () => 'mute', unknown: () => copy.mute.unknown }),
    onDone: () => setIsOpen(false),
  })
  if (until !== null)
    return (
      <>
        <Badge tone="warn">{copy.mute.until(shortTime(until))}</Badge>
        <Button busy={mute.isPending} onClick={() => mute.run(0)}>
          {copy.mute.end}
        </Button>
      </>
    )
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{copy.mute.label}</Button>
      <Dialog
        title={copy.mute.title}
        size="small"
        opened={isOpen}
        busy={mute.isPending}
        onClose={() => setIsOpen(false)}
      >
        <p>{copy.mute.text}</p>
        <DialogActions>
          {copy.mute.options.map(({ seconds, label }) => (
            <Button key={seconds} busy={mute.isPending} onClick={() => mute.run(seconds)}>
              {label}
            </Button>
          ))}
        </DialogActions>
      </Dialog>
    </>
  )
}
