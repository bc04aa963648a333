import { type AlertRule, type AlertSummary, alerts, service } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { ALERT } from '#testkit/alerts.ts'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { freezeDate } from '#testkit/time.ts'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'

const RULE: AlertRule = {
  id: 1,
  name: 'Exposure above 60%',
  is_enabled: true,
  watch: 'exposure',
  subject: null,
  direction: 'above',
  threshold: 60,
  clear: 55,
  window_s: 300,
  cooldown_s: 900,
  severity: 'warning',
  escalate_after_s: null,
  channels: ['in-app', 'email'],
  mute: [],
  version: 3,
  last_fired_at: '2026-03-04T13:47:19.000Z',
  is_muted: false,
  series: 'limit.exposure',
  value: 62.4,
}

const SUMMARY: AlertSummary = {
  open: 1,
  acknowledged: 0,
  resolved: 61,
  muted_until: null,
  heartbeat_at: new Date().toISOString(),
  alerts: [ALERT],
}

let api: FakeApi

beforeEach(() => {
  api = createFakeApi()
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['alerts', 'problems'] })
  api.on(alerts.summary, SUMMARY)
  api.on(alerts.resolved, {
    alerts: [
      { ...ALERT, id: 6, state: 'resolved', resolved_by: 'server', resolved_at: '2026-03-04T13:50:00.000Z' },
    ],
  })
  api.on(alerts.rules, { rules: [RULE], subjects: { price: ['BTCUSDT', 'ETHUSDT'], component: ['Cache'] } })
  api.on(alerts.channels, {
    channels: [
      { channel: 'in-app', is_ready: true, delivered_today: 14, last: ALERT.deliveries[0] ?? null },
      {
        channel: 'sms',
        is_ready: false,
        note: 'SMS is not set up on this server.',
        delivered_today: 0,
        last: null,
      },
    ],
  })
  api.on(alerts.heartbeat, { is_enabled: false, host: null, every_s: 60 })
})

afterEach(() => {
  clearToasts()
  vi.unstubAllGlobals()
})

async function openPage() {
  const view = renderConsole('/trader/alerts')
  await screen.findByRole('table', { name: 'Rules' })
  return view
}

test('[ALERT-1] [ALERT-21] [ALERT-22] [ALERT-23] [ALERT-24] the screen has inbox, rules, channels and the dead-man’s switch', async () => {
  await openPage()
  expect(await screen.findByRole('link', { name: 'Alerts, 1 open' })).toHaveAttribute(
    'href',
    '/trader/alerts',
  )
  const inbox = await screen.findByRole('list', { name: 'Open' })
  expect(inbox).toHaveTextContent('Total exposure is 62.4% of its maximum, at or above 60%.')
  expect(inbox).toHaveTextContent('Slack failed: HTTP 429')
  expect(screen.getByRole('tab', { name: 'Resolved 61' })).toBeVisible()
  const row = within(screen.getByRole('table', { name: 'Rules' })).getAllByRole('row')[1]
  expect(row).toHaveTextContent('≥ 60%, clears at 55%')
  expect(screen.getByRole('list', { name: 'Channels' })).toHaveTextContent(
    'SMS is not set up on this server.',
  )
  expect(screen.getByRole('region', { name: "Dead-man's switch" })).toHaveTextContent('Outside watcher')
})

test('[ALERT-11] an alert is acknowledged, snoozed and resolved in its row', async () => {
  api.on(alerts.acknowledge, { ...ALERT, state: 'acknowledged' })
  api.on(alerts.snooze, ALERT)
  api.on(alerts.resolve, { ...ALERT, state: 'resolved' })
  const { user } = await openPage()
  await user.click(await screen.findByRole('button', { name: 'Acknowledge Exposure above 60%' }))
  await waitFor(() => expect(api.calls(alerts.acknowledge)).toHaveLength(1))
  const snooze = screen.getByRole('button', { name: 'Snooze 1 h Exposure above 60%' })
  await waitFor(() => expect(snooze).toBeEnabled())
  await user.click(snooze)
  await waitFor(() => expect(api.calls(alerts.snooze)[0]?.body).toEqual({ seconds: 3600 }))
  const resolve = screen.getByRole('button', { name: 'Resolve Exposure above 60%' })
  await waitFor(() => expect(resolve).toBeEnabled())
  await user.click(resolve)
  await waitFor(() => expect(api.calls(alerts.resolve)).toHaveLength(1))
  await user.click(screen.getByRole('tab', { name: 'Resolved 61' }))
  expect(await screen.findByText(/by itself/)).toBeVisible()
})

test('[ALERT-25] [ALERT-26] a rule is written, tested on yesterday and saved; a refusal is at its field', async () => {
  api.on(alerts.testRule, {
    from: '2026-03-03T00:00:00.000Z',
    to: '2026-03-04T00:00:00.000Z',
    points: [
      [1_772_496_000, 40],
      [1_772_539_200, 66],
    ],
    firings: [{ at: '2026-03-03T07:55:00.000Z', value: 61, cleared_at: null }],
    seconds_beyond: 7200,
    longest_s: 7200,
    note: null,
  })
  const { user } = await openPage()
  await user.click(screen.getByRole('button', { name: 'New rule' }))
  const form = screen.getByRole('form', { name: 'New rule' })
  await user.click(within(form).getByRole('button', { name: 'Save rule' }))
  expect(within(form).getByLabelText('Name')).toHaveAccessibleDescription('Enter a name for the rule')
  await user.type(within(form).getByLabelText('Name'), 'BTC round number')
  await user.type(within(form).getByLabelText('Threshold (price)'), '68000')
  await user.click(screen.getByRole('button', { name: 'Test' }))
  expect(await screen.findByText('would fire 1 time')).toBeVisible()
  expect(screen.getByText('Past the threshold for 2 h in total; longest 2 h. 1 message.')).toBeVisible()
  expect(api.calls(alerts.addRule)).toEqual([])
  api.answer(alerts.addRule, () =>
    Response.json(
      {
        type: 'x',
        title: 'x',
        status: 422,
        code: 'request.invalid',
        errors: [{ field: 'body.clear', message: 'must be at most 68000' }],
      },
      { status: 422, headers: { 'content-type': 'application/problem+json' } },
    ),
  )
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await user.click(within(form).getByRole('button', { name: 'Save rule' }))
  await waitFor(() =>
    expect(within(form).getByLabelText('Clears at (price)')).toHaveAccessibleDescription(
      'must be at most 68000',
    ),
  )
  await user.type(within(form).getByLabelText('Clears at (price)'), '67000')
  expect(within(form).queryByText('must be at most 68000')).toBeNull()
  api.on(alerts.addRule, RULE)
  await user.click(within(form).getByRole('button', { name: 'Save rule' }))
  await waitFor(() => expect(toastsOfType('success')).toEqual(['Rule ‘BTC round number’ saved.']))
  expect(api.calls(alerts.addRule)[1]?.body).toMatchObject({
    watch: 'price',
    subject: 'BTCUSDT',
    threshold: 68_000,
    clear: 67_000,
    channels: ['in-app'],
  })
})

test('[ALERT-32] the editor offers every channel and says which are not set up', async () => {
  const ready = { is_ready: true, delivered_today: 0, last: null }
  api.on(alerts.channels, {
    channels: [
      { channel: 'email', ...ready },
      { channel: 'sms', ...ready, is_ready: false },
    ],
  })
  api.on(alerts.addRule, RULE)
  const { user } = await openPage()
  await user.click(screen.getByRole('button', { name: 'New rule' }))
  const form = screen.getByRole('form', { name: 'New rule' })
  expect(await within(form).findByRole('checkbox', { name: 'SMS not set up' })).toBeEnabled()
  await user.click(within(form).getByRole('checkbox', { name: 'Email' }))
  await user.type(within(form).getByLabelText('Name'), 'BTC round number')
  await user.type(within(form).getByLabelText('Threshold (price)'), '68000')
  await user.click(within(form).getByRole('button', { name: 'Save rule' }))
  await waitFor(() =>
    expect(api.calls(alerts.addRule)[0]?.body).toMatchObject({ channels: ['in-app', 'email'] }),
  )
})

test('[SHELL-113] a changed rule is left for a screen or another rule only after a question', async () => {
  const { user } = await openPage()
  await user.click(screen.getByRole('button', { name: 'New rule' }))
  // Nothing was typed.
  await user.click(screen.getByRole('button', { name: 'Exposure above 60%' }))
  const form = screen.getByRole('form', { name: 'Exposure above 60%' })
  await user.type(within(form).getByLabelText('Threshold (%)'), '5')
  const name = 'Discard the changes to rule ‘Exposure above 60%’?'
  await user.click(screen.getByRole('button', { name: 'New rule' }))
  const question = await screen.findByRole('dialog', { name })
  await user.click(within(question).getByRole('button', { name: 'Keep editing' }))
  expect(within(form).getByLabelText('Threshold (%)')).toHaveValue('605')
  await user.click(screen.getAllByRole('link', { name: 'Orders' })[0] ?? form)
  const again = await screen.findByRole('dialog', { name })
  await user.click(within(again).getByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(screen.getByTestId('current-path')).toHaveTextContent('/trader/orders'))
})

test('[ALERT-22] a rule is switched off, changed and deleted', async () => {
  api.on(alerts.changeRule, RULE)
  api.on(alerts.removeRule, {})
  const { user } = await openPage()
  await user.click(screen.getByRole('switch', { name: 'Exposure above 60% is on' }))
  await waitFor(() =>
    expect(api.calls(alerts.changeRule)[0]?.body).toEqual({
      name: 'Exposure above 60%',
      is_enabled: false,
      watch: 'exposure',
      subject: null,
      direction: 'above',
      threshold: 60,
      clear: 55,
      window_s: 300,
      cooldown_s: 900,
      severity: 'warning',
      escalate_after_s: null,
      channels: ['in-app', 'email'],
      mute: [],
    }),
  )
  await user.click(screen.getByRole('button', { name: 'Exposure above 60%' }))
  expect(screen.getByText('rule 1, version 3')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(api.calls(alerts.removeRule)).toHaveLength(1))
})

test('[ALERT-5] [ALERT-18] alerts are muted for a while, and a test alert is sent', async () => {
  api.on(alerts.mute, { muted_until: '2026-03-04T14:00:00.000Z' })
  api.on(alerts.sendTest, ALERT)
  const { user } = await openPage()
  await user.click(screen.getByRole('button', { name: 'Mute for…' }))
  await user.click(await screen.findByRole('button', { name: '15 min' }))
  await waitFor(() => expect(api.calls(alerts.mute)[0]?.body).toEqual({ seconds: 900 }))
  await user.click(screen.getByRole('button', { name: 'Send test' }))
  await waitFor(() => expect(toastsOfType('success')).toEqual(['Test alert sent.']))
})

test('[ALERT-310] the last sign of life grows older while the server does not answer', async () => {
  freezeDate('2026-03-04T14:00:00Z')
  onTestFinished(() => void vi.useRealTimers())
  api.on(alerts.summary, { ...SUMMARY, heartbeat_at: '2026-03-04T13:59:57.000Z' })
  await openPage()
  const panel = screen.getByRole('region', { name: "Dead-man's switch" })
  await waitFor(() => expect(panel).toHaveTextContent('heartbeat 3 s ago'))
  api.drop(alerts.summary)
  vi.setSystemTime(Date.parse('2026-03-04T14:01:00Z'))
  await waitFor(() => expect(panel).toHaveTextContent('no heartbeat'))
})

test('[SHELL-22] the mute dialog cannot be closed while its command is being sent', async () => {
  let answer = (_: Response) => {}
  api.answer(alerts.mute, () => new Promise<Response>((resolve) => (answer = resolve)))
  const { user } = await openPage()
  await user.click(screen.getByRole('button', { name: 'Mute for…' }))
  await user.click(await screen.findByRole('button', { name: '15 min' }))
  expect(screen.getByRole('button', { name: 'Close' })).toBeDisabled()
  await user.keyboard('{Escape}')
  expect(screen.getByRole('dialog')).toBeVisible()
  answer(Response.json({ muted_until: null }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('[ALERT-24] the outside watcher is set up', async () => {
  api.on(alerts.changeHeartbeat, { is_enabled: true, host: 'watch.example', every_s: 60 })
  const { user } = await openPage()
  const panel = screen.getByRole('region', { name: "Dead-man's switch" })
  await user.click(await within(panel).findByRole('button', { name: 'Set up' }))
  await user.type(within(panel).getByLabelText('Address'), 'https://watch.example/ping/1')
  await user.click(within(panel).getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(api.calls(alerts.changeHeartbeat)[0]?.body).toEqual({
      is_enabled: true,
      every_s: 60,
      url: 'https://watch.example/ping/1',
    }),
  )
  await waitFor(() => expect(within(panel).queryByLabelText('Address')).toBeNull())
})

test('[ALERT-20] a new alert is shown as a notification of the browser once, and reported', async () => {
  const shown: string[] = []
  class FakeNotification {
    static permission = 'granted'
    constructor(title: string, { body }: { body: string }) {
      shown.push(`${title}: ${body}`)
    }
  }
  vi.stubGlobal('Notification', FakeNotification)
  api.on(alerts.shown, {})
  const waiting = { channel: 'browser', state: 'pending', tries: 0, at: ALERT.raised_at } as const
  api.on(alerts.summary, { ...SUMMARY, alerts: [{ ...ALERT, deliveries: [waiting] }] })
  const { queryClient } = await openPage()
  await waitFor(() => expect(api.calls(alerts.shown)).toHaveLength(1))
  await queryClient.refetchQueries({ queryKey: ['alerts', 'summary'] })
  expect(shown).toEqual([`Exposure above 60%: ${ALERT.text}`])
})
