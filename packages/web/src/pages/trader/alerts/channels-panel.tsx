import type { AlertChannelState } from '@binnacle/contract'
import { IconBell, IconBrandSlack, IconDeviceMobile, IconDevices, IconMail } from '@tabler/icons-react'
import { shortTime } from '#format/short-time.ts'
import { Button } from '#ui/control/button.tsx'
import { Card } from '#ui/frame/card.tsx'
import classes from './channels-panel.module.css'
import { copy } from './copy.ts'

const { channels: words } = copy

export interface ChannelsPanelProps {
  channels: readonly AlertChannelState[]
  busy: boolean
  onSendTest: () => void
  /** What this browser says about notifications, and how to ask it. */
  browser: { permission: NotificationPermission | 'unsupported'; allow: () => void }
}

export const CHANNEL_ICONS = {
  'in-app': IconDevices,
  browser: IconBell,
  email: IconMail,
  slack: IconBrandSlack,
  sms: IconDeviceMobile,
}

/** ALERT-23: the state of each channel and its last delivery. */
export function ChannelsPanel({ channels, busy, onSendTest, browser }: ChannelsPanelProps) {
  return (
    <Card
      title={words.title}
      actions={
        <Button busy={busy} onClick={onSendTest}>
          {words.sendTest}
        </Button>
      }
    >
      <ul className={classes.list} aria-label={words.title}>
        {channels.map((state) => {
          const Icon = CHANNEL_ICONS[state.channel]
          return (
            <li key={state.channel} className={classes.channel}>
              <Icon size={14} stroke={1.5} aria-hidden />
              <span>{words.names[state.channel]}</span>
              <ChannelText state={state} browser={browser} />
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

function ChannelText({
  state,
  browser,
}: {
  state: AlertChannelState
  browser: ChannelsPanelProps['browser']
}) {
  const { is_ready, note, last, delivered_today } = state
  if (!is_ready) return <span className={classes.dim}>{note ?? words.notReady}</span>
  if (state.channel === 'browser' && browser.permission === 'default')
    return <Button onClick={browser.allow}>{words.allow}</Button>
  if (state.channel === 'browser' && browser.permission === 'denied')
    return <span className={classes.dim}>{words.denied}</span>
  if (last === null) return <span className={classes.dim}>{words.unused}</span>
  const retry =
    last.next_try_at && last.tries > 0 ? words.tries(last.tries, shortTime(last.next_try_at)) : null
  return (
    <span className={classes.dim} data-failed={last.state === 'failed' || undefined}>
      {words.states[last.state]}
      {last.error ? `: ${last.error}` : ''} · {retry ?? words.today(delivered_today)}
    </span>
  )
}
