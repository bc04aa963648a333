import { AlertRuleInput, type AlertWatch } from '@binnacle/contract'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { OutboundOutcome, OutboundRequest } from '#services/outbound/outbound.ts'
import { openAdminStore } from '#storage/admin-store.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { newAdminStore, type TestStore } from '#testkit/admin-store.ts'
import { type Alerts, openAlerts } from './alerts.ts'
import type { AlertMessage, AlertSender, OutsideChannel } from './deliveries.ts'
import type { AlertFigure } from './figures.ts'

const ACT = { ...serverAuditContext('alerts.test'), actor: 'ada' }
const START = Date.parse('2026-03-04T10:00:00Z')

describe('a rule', () => {
  test('[ALERT-2] raises one alert when its figure reaches the threshold, and none while it stays there', async () => {
    const desk = await openTest({ exposure: 40 })
    await desk.at(1, { exposure: 61 })
    await desk.at(2, { exposure: 64 })
    expect(desk.alerts.summary()).toMatchObject({
      open: 1,
      alerts: [
        {
          title: 'Exposure above 60%',
          text: 'Total exposure is 61% of its maximum, at or above 60%.',
          severity: 'warning',
          state: 'open',
          raised_at: '2026-03-04T10:00:01.000Z',
        },
      ],
    })
  })

  test('[ALERT-3] clears behind its clear value only, and the alert is then resolved by itself', async () => {
    const desk = await openTest({ exposure: 61 })
    await desk.at(1)
    await desk.at(2, { exposure: 57 })
    expect(desk.alerts.summary().open).toBe(1)
    await desk.at(3, { exposure: 54 })
    expect(desk.alerts.summary()).toMatchObject({ open: 0, resolved: 1, alerts: [] })
    expect(await desk.alerts.resolved(10)).toMatchObject([
      { state: 'resolved', resolved_by: 'server', resolved_at: '2026-03-04T10:00:03.000Z' },
    ])
  })

  test('[ALERT-4] raises again after its cool-down only, and then what has lasted so long', async () => {
    const desk = await openTest({ exposure: 61 })
    await desk.at(1)
    await desk.at(2, { exposure: 50 })
    await desk.at(3, { exposure: 62 })
    await desk.at(900, { exposure: 58 })
    expect(desk.alerts.summary().open).toBe(0)
    await desk.at(901)
    expect(desk.alerts.summary()).toMatchObject({ open: 1, resolved: 1 })
  })

  test('[ALERT-5] [ALERT-6] raises nothing while muted, and afterwards what has lasted so long', async () => {
    const desk = await openTest({ exposure: 50 })
    expect(await desk.alerts.mute(ACT, 3600)).toBe('2026-03-04T11:00:00.000Z')
    await desk.at(10, { exposure: 70 })
    expect(desk.alerts.summary()).toMatchObject({ open: 0, muted_until: '2026-03-04T11:00:00.000Z' })
    await desk.at(3600)
    expect(desk.alerts.summary()).toMatchObject({ open: 1, muted_until: null })

    const [rule] = await desk.alerts.rules()
    await desk.change({ mute: [{ days: [3], from: '00:00', to: '00:00' }], cooldown_s: 0 })
    await desk.at(3700, { exposure: 10 })
    await desk.at(3800, { exposure: 90 })
    expect(desk.alerts.summary().open).toBe(0)
    expect((await desk.alerts.rules())[0]).toMatchObject({ id: rule?.id, is_muted: true, version: 2 })
    await desk.at(14 * 3600)
    expect(desk.alerts.summary().open).toBe(1)
  })

  test('[ALERT-300] whose figures cannot be read is reported once, and the others are evaluated', async () => {
    const desk = await openTest({ exposure: UNREADABLE, engine: 0 })
    await desk.at(1)
    await desk.at(2, { exposure: UNREADABLE, engine: 60 })
    expect(desk.alerts.summary().alerts).toMatchObject([{ watch: 'engine' }])
    expect(desk.faults).toEqual([UNREADABLE])
    await desk.at(3, { exposure: 61 })
    await desk.at(4, { exposure: UNREADABLE })
    expect(desk.alerts.summary().alerts).toMatchObject([{ watch: 'exposure' }, { watch: 'engine' }])
    expect(desk.faults).toEqual([UNREADABLE, UNREADABLE])
  })

  test('[ALERT-403] whose figures or subjects cannot be read is listed without a value, beside the others', async () => {
    const desk = await openTest({ exposure: UNREADABLE, margin: 40, engine: UNREADABLE })
    const rules = await desk.alerts.rules()
    const shown = (name: AlertWatch) => rules.find(({ watch }) => watch === name)?.value
    expect([shown('exposure'), shown('margin')]).toEqual([null, 40])
    expect(desk.alerts.summary()).toMatchObject({ open: 0, heartbeat_at: null })
    desk.alerts.addSource({
      watches: ['price'],
      read: () => [],
      subjects() {
        throw UNREADABLE
      },
    })
    desk.alerts.addSource({ watches: ['price'], read: () => [], subjects: () => ['BTC/USD'] })
    expect(desk.alerts.subjects('price')).toEqual(['BTC/USD'])
  })

  test('[ALERT-300] is reported once also while another engine has figures for it', async () => {
    const desk = await openTest({ exposure: 40 })
    desk.alerts.addSource({
      engine: { name: 'tokyo', isNamed: true },
      watches: ['exposure'],
      read() {
        throw UNREADABLE
      },
      subjects: () => undefined,
    })
    await desk.at(1)
    await desk.at(2)
    expect(desk.faults).toEqual([UNREADABLE])
  })

  test('[ALERT-301] an alert that was acknowledged after it was read is not escalated', async () => {
    const desk = await openTest({ exposure: 10 })
    await desk.change({ channels: ['in-app'], escalate_after_s: 300 })
    await desk.at(1, { exposure: 61 })
    const id = Number(desk.alerts.summary().alerts[0]?.id)
    await desk.store.alerts.acknowledge(ACT, id, '2026-03-04T10:04:59.000Z')
    await desk.at(400)
    expect(await desk.store.alerts.find(id)).toMatchObject({
      state: 'acknowledged',
      severity: 'warning',
      escalated_at: null,
    })
  })

  test('[ALERT-302] of two readings of the store the later one counts', async () => {
    const desk = await openTest({ exposure: 61 })
    await desk.at(1)
    const { alerts } = desk.store
    const before = await alerts.unresolved()
    const gate = Promise.withResolvers<void>()
    const late = vi.spyOn(alerts, 'unresolved').mockImplementationOnce(() => gate.promise.then(() => before))
    const id = before[0]?.id ?? 0
    const [muting, resolving] = [desk.alerts.mute(ACT, 60), desk.alerts.resolve(ACT, id)]
    await vi.waitFor(() => expect(late).toHaveBeenCalled())
    await vi.waitFor(async () => expect((await alerts.find(id))?.state).toBe('resolved'))
    gate.resolve()
    await Promise.all([muting, resolving])
    expect(desk.alerts.summary()).toMatchObject({ open: 0, alerts: [] })
    late.mockRestore()
  })

  test('[ALERT-8] is neither repeated nor lost by a restart', async () => {
    const desk = await openTest({ exposure: 61 })
    await desk.at(1)
    await desk.restart()
    await desk.at(2000)
    expect(desk.alerts.summary().open).toBe(1)
    await desk.at(2001, { exposure: 10 })
    await desk.restart()
    await desk.at(2002, { exposure: 61 })
    expect(desk.alerts.summary()).toMatchObject({ open: 1, resolved: 1 })
  })

  test('[ALERT-10] that is changed to watch something else, disabled or deleted has its alerts resolved', async () => {
    const desk = await openTest({ exposure: 61, margin: 99 })
    await desk.at(1)
    expect(desk.alerts.summary().open).toBe(2)
    await desk.change({ is_enabled: false })
    expect(desk.alerts.summary()).toMatchObject({ open: 1, resolved: 1 })
    const margin = (await desk.alerts.rules()).find(({ watch }) => watch === 'margin')
    expect(await desk.alerts.removeRule(ACT, Number(margin?.id))).toMatchObject({ ok: true })
    await desk.at(2)
    expect(desk.alerts.summary()).toMatchObject({ open: 0, resolved: 2 })
    const records = await desk.store.audit.page({ entity: 'alert-rule' }, 1e9, 10)
    expect(records.map(({ actor, after }) => [actor, after === null])).toEqual([
      ['ada', true],
      ['ada', false],
    ])
  })
})

describe('the inbox', () => {
  test('[ALERT-11] acknowledge, resolve and snooze are stored with who and when, and audited', async () => {
    const desk = await openTest({ exposure: 61 })
    await desk.at(1)
    const [alert] = desk.alerts.summary().alerts
    const id = Number(alert?.id)
    expect(await desk.alerts.acknowledge(ACT, id)).toMatchObject({
      ok: true,
      value: { state: 'acknowledged', acknowledged_by: 'ada' },
    })
    expect(desk.alerts.summary()).toMatchObject({ open: 0, acknowledged: 1 })
    expect(await desk.alerts.resolve(ACT, id)).toMatchObject({ ok: true, value: { resolved_by: 'ada' } })
    expect(await desk.alerts.resolve(ACT, id)).toEqual({ ok: false, reason: 'resolved' })
    expect(await desk.alerts.snooze(ACT, 99, 60)).toEqual({ ok: false, reason: 'unknown' })
    await desk.at(2)
    expect(desk.alerts.summary().open).toBe(0)
    expect(await desk.store.audit.page({ entity: 'alert' }, 1e9, 10)).toHaveLength(2)
  })

  test('[ALERT-12] a snoozed alert is not counted, and is sent again when the time is over', async () => {
    const sent: string[] = []
    const desk = await openTest({ exposure: 61 }, { send: async (_, { key }) => void sent.push(key) })
    await desk.change({ channels: ['email'] })
    await desk.at(1)
    const id = Number(desk.alerts.summary().alerts[0]?.id)
    await desk.alerts.snooze(ACT, id, 600)
    expect(desk.alerts.summary().open).toBe(0)
    await desk.at(500)
    expect(sent).toHaveLength(1)
    await desk.at(602)
    expect(desk.alerts.summary().open).toBe(1)
    expect(sent).toEqual([`binnacle-alert-${id}-1`, `binnacle-alert-${id}-2`])
  })

  test('[ALERT-13] an alert that nobody acknowledges becomes critical once and is sent again', async () => {
    const sent: AlertMessage[] = []
    const desk = await openTest({ exposure: 61 }, { send: async (_, message) => void sent.push(message) })
    await desk.change({ channels: ['slack'], escalate_after_s: 300 })
    await desk.at(1)
    await desk.at(300)
    expect(sent.map(({ severity }) => severity)).toEqual(['warning'])
    await desk.at(301)
    await desk.at(900)
    expect(sent.map(({ severity }) => severity)).toEqual(['warning', 'critical'])
    expect(desk.alerts.summary().alerts).toMatchObject([{ severity: 'critical' }])
  })
})

test('[ALERT-402] resolved alerts are deleted 90 days later, also while the server runs', async () => {
  const desk = await openTest({ exposure: 61 })
  await desk.at(1)
  await desk.at(2, { exposure: 10 })
  await desk.at(90 * 86_400)
  expect(desk.alerts.summary().resolved).toBe(1)
  await desk.at(90 * 86_400 + 3_600)
  expect(desk.alerts.summary().resolved).toBe(0)
  expect(await desk.alerts.resolved(10)).toEqual([])
})

describe('a delivery', () => {
  test('[ALERT-37] by a slow channel delays no other, no call of the watcher and not the close', async () => {
    const sent: string[] = []
    const slow = Promise.withResolvers<undefined>()
    const desk = await openTest(
      { exposure: 61, engine: 0 },
      {
        async send(channel, { key }) {
          if (channel === 'email') await slow.promise
          sent.push(`${channel} ${key}`)
          return undefined
        },
      },
    )
    await desk.change({ channels: ['email', 'slack'], cooldown_s: 0 })
    const url = 'http://127.0.0.1:9/ping'
    await desk.alerts.setHeartbeat(ACT, { is_enabled: true, url, every_s: 60 })
    const first = desk.at(1)
    await expect.poll(() => [sent, desk.calls]).toEqual([['slack binnacle-alert-1-2'], [url]])
    await desk.at(2, { exposure: 10, engine: 0 })
    await desk.at(3, { exposure: 61, engine: 0 })
    expect(sent).toEqual(['slack binnacle-alert-1-2', 'slack binnacle-alert-2-4'])
    await desk.alerts.close(1)
    slow.resolve(undefined)
    await first
    expect(sent).toContain('email binnacle-alert-1-1')
  })

  test('[ALERT-15] in-app counts as delivered when it is stored, browser when a tab reports it', async () => {
    const desk = await openTest({ exposure: 61 })
    await desk.change({ channels: ['in-app', 'browser'] })
    await desk.at(1)
    const states = () =>
      desk.alerts.summary().alerts[0]?.deliveries.map(({ channel, state }) => `${channel} ${state}`)
    expect(states()).toEqual(['in-app delivered', 'browser pending'])
    expect(await desk.alerts.confirmShown(1)).toBe(true)
    expect(states()).toEqual(['in-app delivered', 'browser delivered'])
  })

  test('[ALERT-400] in the browser fails when its alert is resolved before a tab has shown it', async () => {
    const desk = await openTest({ exposure: 61 })
    await desk.change({ channels: ['browser'], cooldown_s: 0 })
    await desk.at(1)
    await desk.at(2, { exposure: 10 })
    await desk.at(3, { exposure: 61 })
    await desk.alerts.resolve(ACT, 2)
    await desk.at(4, { exposure: 10 })
    await desk.at(5, { exposure: 61 })
    await desk.change({ is_enabled: false })
    const unshown = { state: 'failed', error: 'The alert was resolved before a tab showed it.' }
    expect((await desk.alerts.resolved(10)).map(({ deliveries }) => deliveries)).toMatchObject([
      [unshown],
      [unshown],
      [unshown],
    ])
  })

  test('[ALERT-401] at most 100 of a channel are read at a time, the oldest first', async () => {
    const sent: string[] = []
    const desk = await openTest({}, { send: async (_, { title }) => void sent.push(title) })
    await raiseMany(desk.store, 101)
    await desk.at(1)
    expect(sent).toEqual(Array.from({ length: 100 }, (_, index) => `Alert ${index}`))
    await desk.at(2)
    expect(sent.slice(100)).toEqual(['Alert 100'])
  })

  test('[ALERT-16] that fails is tried again with the same key, and never after it was acknowledged', async () => {
    const keys: string[] = []
    let failure: string | undefined = 'HTTP 429'
    const send = async (_: OutsideChannel, { key }: AlertMessage) => {
      keys.push(key)
      return failure
    }
    const desk = await openTest({ exposure: 61 }, { send })
    await desk.change({ channels: ['slack'] })
    await desk.at(1)
    expect(desk.alerts.summary().alerts[0]?.deliveries).toMatchObject([
      { state: 'pending', tries: 1, error: 'HTTP 429', next_try_at: '2026-03-04T10:00:31.000Z' },
    ])
    await desk.at(20)
    failure = undefined
    await desk.at(31)
    await desk.at(4000)
    expect(keys).toEqual(['binnacle-alert-1-1', 'binnacle-alert-1-1'])
    expect(desk.alerts.summary().alerts[0]?.deliveries).toMatchObject([
      { state: 'delivered', tries: 2, error: null },
    ])
  })

  test('[ALERT-17] by a channel that is not set up fails at once and says so', async () => {
    const desk = await openTest({ exposure: 61 })
    await desk.change({ channels: ['in-app', 'sms'] })
    await desk.at(1)
    expect(desk.alerts.summary().alerts[0]?.deliveries[1]).toMatchObject({
      state: 'failed',
      error: 'SMS is not set up on this server.',
    })
    const channels = await desk.alerts.channels()
    expect(channels.map(({ channel, is_ready }) => [channel, is_ready])).toEqual([
      ['in-app', true],
      ['browser', true],
      ['email', false],
      ['slack', false],
      ['sms', false],
    ])
    expect(channels[0]).toMatchObject({ delivered_today: 1 })
  })

  test('[ALERT-18] a test alert goes to every channel that is ready', async () => {
    const desk = await openTest({})
    expect(await desk.alerts.sendTest(serverAuditContext('alerts.sendTest'))).toMatchObject({
      title: 'Test alert',
      severity: 'info',
      deliveries: [{ channel: 'in-app' }, { channel: 'browser' }],
    })
    expect(desk.alerts.summary().open).toBe(1)
  })
})

describe('the dead-man’s switch', () => {
  test('[ALERT-14] calls the outside watcher on its schedule, and not while the engine is silent', async () => {
    const desk = await openTest({ engine: 0 })
    const url = 'http://127.0.0.1:9/ping/secret-token'
    expect(await desk.alerts.setHeartbeat(ACT, { is_enabled: true, url, every_s: 60 })).toEqual({
      is_enabled: true,
      host: '127.0.0.1:9',
      every_s: 60,
      last_at: null,
      last_error: null,
    })
    await desk.at(1)
    await desk.at(30)
    await desk.at(61)
    expect(desk.calls).toEqual([url, url])
    await desk.at(130, { engine: UNREADABLE })
    await desk.at(200, { engine: 25 })
    expect(desk.calls).toHaveLength(2)
    expect(desk.alerts.summary().alerts).toMatchObject([
      { watch: 'engine', severity: 'critical', text: 'No sign of life from the engine for 25 s.' },
    ])
    const records = await desk.store.audit.page({ entity: 'alerts' }, 1e9, 10)
    expect(JSON.stringify(records)).not.toContain('secret-token')
  })
})

test('[ENGS-15] rules hold for every engine, each alert names its own, and one ends without the other', async () => {
  const desk = await openTest({ exposure: 40 })
  const other = { exposure: 90 }
  desk.alerts.addSource({
    engine: { name: 'tokyo', isNamed: true },
    watches: ['exposure'],
    read: () => [{ subject: '', value: other.exposure }],
    subjects: () => undefined,
  })
  await desk.at(1)
  await desk.at(2, { exposure: 61 })
  expect(desk.alerts.summary().alerts).toMatchObject([
    { subject: '', title: 'Exposure above 60%' },
    {
      subject: 'tokyo/',
      title: 'Exposure above 60% (tokyo)',
      text: 'tokyo: Total exposure is 90% of its maximum, at or above 60%.',
    },
  ])
  other.exposure = 10
  await desk.at(3, { exposure: 61 })
  expect(desk.alerts.summary().alerts).toMatchObject([{ subject: '' }])
  const ofExposure = (await desk.alerts.rules()).find(({ watch }) => watch === 'exposure')
  expect(ofExposure?.value).toBe(61)
})

async function raiseMany({ alerts }: TestStore['store'], count: number): Promise<void> {
  for (let index = 0; index < count; index += 1)
    await alerts.raise({
      rule_id: null,
      watch: 'engine',
      subject: '',
      title: `Alert ${index}`,
      text: '',
      severity: 'info',
      value: 0,
      escalate_after_s: null,
      channels: ['email'],
      raised_at: '2026-03-04T10:00:00.000Z',
    })
}

type Values = Partial<Record<AlertWatch, number | typeof UNREADABLE>>

const UNREADABLE = new Error('the figures cannot be read')

/** Alerts over figures that the test sets, with time that the test advances. */
async function openTest(values: Values, sender?: Pick<AlertSender, 'send'>) {
  const opened: TestStore = await newAdminStore()
  let { store } = opened
  let current: Values = values
  let now = START
  const calls: string[] = []
  const faults: unknown[] = []
  const open = (): Promise<Alerts> =>
    openAlerts({
      store: store.alerts,
      sources: [
        {
          watches: ['exposure', 'margin', 'engine'],
          read: ({ watch }): AlertFigure[] => {
            const value = current[watch]
            if (value instanceof Error) throw value
            return value === undefined ? [] : [{ subject: '', value }]
          },
          subjects: () => undefined,
        },
      ],
      outbound: {
        async send({ url }: OutboundRequest): Promise<OutboundOutcome> {
          calls.push(url)
          return { ok: false, elapsedMs: 1, sentence: 'Nobody answers.' }
        },
      },
      ...(sender && { sender: { whyNotReady: () => undefined, ...sender } }),
      now: () => now,
      isManual: true,
      onFault: (fault) => (fault === UNREADABLE ? faults.push(fault) : expect.fail(String(fault))),
    })
  let alerts = await open()
  onTestFinished(async () => {
    await alerts.close(10_000)
    await store.close()
  })
  return {
    calls,
    faults,
    get alerts() {
      return alerts
    },
    get store() {
      return store
    },
    /** Sets the figures and evaluates, so many seconds after the start. */
    async at(second: number, next: Values = current) {
      now = START + second * 1000
      current = next
      await alerts.tick()
    },
    /** Changes the rule on exposure. */
    async change(change: Partial<AlertRuleInput>) {
      const [rule] = await alerts.rules()
      const known = AlertRuleInput.keyof().options.map((key) => [key, rule?.[key]])
      await alerts.changeRule(
        ACT,
        Number(rule?.id),
        AlertRuleInput.parse({ ...Object.fromEntries(known), ...change }),
      )
    },
    async restart() {
      await alerts.close(10_000)
      await store.close()
      store = await openAdminStore(opened.file)
      alerts = await open()
    },
  }
}
