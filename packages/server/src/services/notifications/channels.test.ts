import { createServer, type IncomingHttpHeaders } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { AlertRuleInput, type SystemSettingKey } from '@binnacle/contract'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openAlerts } from '#services/alerts/alerts.ts'
import { createMailHostFinder } from '#services/outbound/mail-host.ts'
import { createOutbound } from '#services/outbound/outbound.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { newAdminStore } from '#testkit/admin-store.ts'
import { openSmtpServer, type SmtpServer } from '#testkit/smtp-server.ts'
import { createChannels } from './channels.ts'

const AUDIT = serverAuditContext('test')
const START = Date.parse('2026-03-04T10:00:00Z')
const MESSAGE = {
  key: 'binnacle-alert-1-1',
  title: 'Feed <stale> & old',
  text: 'BTCUSDT: 12 s',
  severity: 'warning',
  raisedAt: '2026-03-04T10:00:00.000Z',
} as const

let store: AdminStore
beforeEach(async () => {
  store = (await newAdminStore()).store
})

describe('the channels of Settings', () => {
  test('[SET-27] an e-mail reaches the SMTP server with the system name and a stable Message-ID', async () => {
    const smtp = await openSmtpServer()
    await useEmail(smtp)
    const channels = newChannels()
    expect(await channels.send('email', MESSAGE)).toBeUndefined()
    expect(await channels.send('email', MESSAGE)).toBeUndefined()
    expect(smtp.mails).toMatchObject([
      { from: 'desk@binnacle.example', to: 'ada@desk.example', user: 'desk' },
      { from: 'desk@binnacle.example' },
    ])
    for (const { content } of smtp.mails) {
      expect(content).toContain('Subject: [Bridge] Feed <stale> & old')
      expect(content).toContain('Message-ID: <binnacle-alert-1-1-1772618400000@binnacle>')
      expect(content).toContain('Severity: warning')
    }
  })

  test('[SET-28] Slack and SMS are posted with a stable key; text cannot become a Slack command', async () => {
    const receiver = await openReceiver()
    await save({
      system_name: 'Bridge',
      slack_notifications: 'true',
      slack_secret_url: receiver.url,
      sms_notifications: 'true',
      sms_secret_url: receiver.url,
      sms_token: 'sesame',
      sms_to: '+4915112345678',
    })
    const channels = newChannels()
    expect(await channels.send('slack', MESSAGE)).toBeUndefined()
    expect(await channels.send('sms', MESSAGE)).toBeUndefined()
    expect(receiver.calls).toMatchObject([
      { body: { text: '*[Bridge] Feed &lt;stale&gt; &amp; old*\nBTCUSDT: 12 s\n\nSeverity: warning' } },
      {
        headers: { authorization: 'Bearer sesame' },
        body: {
          to: '+4915112345678',
          text: '[Bridge] Feed <stale> & old\nBTCUSDT: 12 s\n\nSeverity: warning',
        },
      },
    ])
    const keys = receiver.calls.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual(['binnacle-alert-1-1-1772618400000', 'binnacle-alert-1-1-1772618400000'])
  })

  test('[SET-29] a test reports the answer of the provider, without secrets', async () => {
    const smtp = await openSmtpServer()
    await useEmail(smtp)
    const channels = newChannels()
    expect(await channels.test('email')).toEqual({ isAccepted: true, answer: '250 queued as 1' })
    smtp.answerWith('554 refused: hunter2 is known')
    expect(await channels.test('email')).toEqual({
      isAccepted: false,
      answer: '554 refused: [masked] is known',
    })
    const receiver = await openReceiver()
    receiver.answer = { status: 403, body: `no_service at ${receiver.url}` }
    await save({ slack_notifications: 'true', slack_secret_url: receiver.url })
    expect(await channels.test('slack')).toEqual({
      isAccepted: false,
      answer: 'HTTP 403: no_service at [masked]',
    })
  })

  test('[SET-36] parts of a secret that a provider repeats are masked too', async () => {
    const smtp = await openSmtpServer()
    await useEmail(smtp)
    const channels = newChannels()
    const plain = Buffer.from('\0desk\0hunter2').toString('base64')
    smtp.answerWith(`535 bad: AUTH PLAIN ${plain} or ${Buffer.from('hunter2').toString('base64')}`)
    expect((await channels.test('email')).answer).toBe('535 bad: AUTH PLAIN [masked] or [masked]')
    const receiver = await openReceiver()
    const path = '/services/T000/B000/SlackSecretXyz'
    await save({ slack_notifications: 'true', slack_secret_url: receiver.url + path })
    receiver.answer = { status: 404, body: `Cannot POST ${path}` }
    expect((await channels.test('slack')).answer).toBe('HTTP 404: Cannot POST [masked]')
    receiver.answer = { status: 404, body: `${'x '.repeat(243)}slacksecretxyz` }
    expect((await channels.test('slack')).answer).toMatch(/x \[masked\]$/)
  })

  test('[SET-37] a mail server that answers without end is given up at the deadline', async () => {
    const drips: NodeJS.Timeout[] = []
    const server = createTcpServer((socket) => {
      socket.on('error', () => {})
      socket.write('220 hi\r\n')
      socket.once('data', () => drips.push(setInterval(() => socket.write('250-x\r\n'), 10)))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      for (const drip of drips) clearInterval(drip)
      server.close()
    })
    // A server on a port has an address with that port.
    await useEmail(server.address() as { port: number })
    expect(await newChannels([], 300).test('email')).toEqual({
      isAccepted: false,
      answer: expect.stringContaining('the message was not accepted within 0.3 s'),
    })
  })

  test.each(['mail.example/', 'mail.example#', 'mail.example?', 'a@mail.example', 'mail.example\\x'])(
    '[SET-31] %s is no mail server',
    async (host) => {
      const find = createMailHostFinder([{ name: 'mail.example', port: 80 }], async () => [
        { address: '203.0.113.7', family: 4 },
      ])
      expect(await find(host, 25)).toEqual({
        refusal: expect.stringMatching(/is not the name of a mail server/),
      })
    },
  )

  test('[SET-30] a channel that is off or not complete says what to do, and sends nothing', async () => {
    const channels = newChannels()
    expect(channels.whyNotReady('slack')).toBe('Slack is switched off in Settings.')
    expect(channels.whyNotReady('email')).toBe('Enter the SMTP server in Settings first.')
    await save({ smtp_host: '127.0.0.1', email_from: 'desk@binnacle.example' })
    expect(await channels.test('email')).toEqual({
      isAccepted: false,
      answer: 'Enter the receiver of e-mail in Settings first.',
    })
  })

  test('[SET-31] no host is reached that is not allowed, and no password leaves unencrypted', async () => {
    await save({
      email_from: 'desk@binnacle.example',
      email_to: 'ada@desk.example',
      smtp_host: 'mail.example',
    })
    const refused = 'mail.example is not an allowed host. Add it to BINNACLE_OUTBOUND_HOSTS to call it.'
    expect(await newChannels().send('email', MESSAGE)).toBe(refused)
    await save({ smtp_tls: 'none', smtp_user: 'desk', smtp_password: 'hunter2' })
    const allowed = newChannels(['mail.example'])
    expect(await allowed.send('email', MESSAGE)).toMatch(/^The password would be sent unencrypted\./)
  })
})

test('[SET-32] an alert is sent until the receiver acknowledges it, and never again, after a restart neither', async () => {
  const smtp = await openSmtpServer()
  await useEmail(smtp)
  const clock = { ms: START }
  const open = () => openTestAlerts(clock)
  const first = await open()
  const [rule] = await first.rules()
  await first.changeRule(AUDIT, Number(rule?.id), onExposure())
  smtp.answerWith('451 try again later')
  await first.tick()
  const deliveries = () => first.summary().alerts[0]?.deliveries
  expect(deliveries()).toMatchObject([
    { channel: 'email', state: 'pending', tries: 1, error: '451 try again later' },
  ])
  smtp.answerWith(undefined)
  clock.ms += 29_000
  await first.tick()
  expect(smtp.mails).toHaveLength(0)
  clock.ms += 1000
  await first.tick()
  expect(smtp.mails).toHaveLength(1)
  expect(deliveries()).toMatchObject([{ state: 'delivered', tries: 2, error: null }])
  await first.close(10_000)
  const second = await open()
  clock.ms += 3_600_000
  await second.tick()
  expect(smtp.mails).toHaveLength(1)
  await second.close(10_000)
})

async function openTestAlerts(clock: { ms: number }) {
  return openAlerts({
    store: store.alerts,
    sources: [
      {
        watches: ['exposure'],
        subjects: () => undefined,
        read: () => [{ subject: '', value: 90 }],
      },
    ],
    outbound: createOutbound({ allowedHosts: [] }),
    sender: newChannels(),
    now: () => clock.ms,
    isManual: true,
  })
}

function onExposure() {
  return AlertRuleInput.parse({
    name: 'Exposure',
    watch: 'exposure',
    threshold: 60,
    clear: 55,
    channels: ['email'],
  })
}

function newChannels(allowed: readonly string[] = [], mailDeadlineMs?: number) {
  const allowedHosts = allowed.map((name) => ({ name, port: undefined }))
  const resolve = async () => [{ address: '203.0.113.7', family: 4 }]
  return createChannels({
    settings: store.settings,
    outbound: createOutbound({ allowedHosts }),
    findMailHost: createMailHostFinder(allowedHosts, resolve),
    ...(mailDeadlineMs !== undefined && { mailDeadlineMs }),
  })
}

async function useEmail({ port }: Pick<SmtpServer, 'port'>): Promise<void> {
  await save({
    system_name: 'Bridge',
    smtp_host: '127.0.0.1',
    smtp_port: String(port),
    smtp_tls: 'none',
    smtp_user: 'desk',
    smtp_password: 'hunter2',
    email_from: 'desk@binnacle.example',
    email_to: 'ada@desk.example',
  })
}

async function save(values: Partial<Record<SystemSettingKey, string>>): Promise<void> {
  // The type of its keys is that of the parameter.
  const entries = Object.entries(values) as [SystemSettingKey, string][]
  await store.settings.save(AUDIT, { values: new Map(entries) })
}

interface ReceivedCall {
  headers: IncomingHttpHeaders
  body: unknown
}

/** A webhook receiver on loopback. */
async function openReceiver() {
  const calls: ReceivedCall[] = []
  const state = { answer: { status: 200, body: 'ok' } }
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray()
    calls.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) })
    response.writeHead(state.answer.status).end(state.answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // A server on a port has an address with that port.
  const { port } = server.address() as { port: number }
  return Object.assign(state, { calls, url: `http://127.0.0.1:${port}/hook/k3y` })
}
