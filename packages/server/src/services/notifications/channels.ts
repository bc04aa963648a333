import type { AlertMessage, AlertSender, OutsideChannel } from '#services/alerts/deliveries.ts'
import type { FindMailHost } from '#services/outbound/mail-host.ts'
import type { Outbound } from '#services/outbound/outbound.ts'
import type { SettingsStore } from '#storage/admin/settings-store.ts'
import type { ChannelAnswer, ChannelMessage } from './channel-message.ts'
import { maskEchoes } from './mask-echoes.ts'
import { sendMail } from './send-mail.ts'
import { postSlack, postSms } from './webhooks.ts'

/** The channels of Settings; a change of them counts for the next message. */
export interface Channels extends AlertSender {
  test(channel: OutsideChannel): Promise<ChannelAnswer>
}

export interface ChannelOptions {
  settings: Pick<SettingsStore, 'effectiveValue'>
  outbound: Outbound
  findMailHost: FindMailHost
  now?: () => Date
  /** For a mail; tests shorten it. */
  mailDeadlineMs?: number
}

export function createChannels({
  settings,
  outbound,
  findMailHost,
  now = () => new Date(),
  mailDeadlineMs,
}: ChannelOptions): Channels {
  const { effectiveValue } = settings

  function whyNotReady(channel: OutsideChannel): string | undefined {
    const { name, isOn, required } = CHANNELS[channel]
    if (effectiveValue(isOn) !== 'true') return `${name} is switched off in Settings.`
    const missing = required.find(([key]) => effectiveValue(key) === '')
    return missing && `Enter ${missing[1]} in Settings first.`
  }

  const posts: Record<OutsideChannel, (message: ChannelMessage) => Promise<ChannelAnswer>> = {
    email: (message) =>
      sendMail(message, { setting: effectiveValue, findHost: findMailHost, deadlineMs: mailDeadlineMs }),
    slack: (message) => postSlack(message, effectiveValue, outbound),
    sms: (message) => postSms(message, effectiveValue, outbound),
  }

  async function post(
    channel: OutsideChannel,
    { id, subject, text }: ChannelMessage,
  ): Promise<ChannelAnswer> {
    const missing = whyNotReady(channel)
    if (missing !== undefined) return { isAccepted: false, answer: missing }
    const named = { id, subject: `[${effectiveValue('system_name')}] ${subject}`, text }
    const { isAccepted, answer } = await posts[channel](named)
    const secrets = CHANNELS[channel].secrets.map(effectiveValue)
    return { isAccepted, answer: maskEchoes(answer, [...secrets, ...smtpForms(channel)]) }
  }

  /** How a mail server sees user and password, which some repeat in a refusal. */
  function smtpForms(channel: OutsideChannel): string[] {
    if (channel !== 'email') return []
    const [user, password] = [effectiveValue('smtp_user'), effectiveValue('smtp_password')]
    return [password, `\0${user}\0${password}`].map((text) => Buffer.from(text).toString('base64'))
  }

  return {
    whyNotReady,
    async send(channel, message) {
      const { isAccepted, answer } = await post(channel, messageOf(message))
      return isAccepted ? undefined : answer
    },
    test: (channel) =>
      post(channel, {
        id: `binnacle-test-${channel}-${now().getTime()}`,
        subject: 'Test',
        text: `This is a test of ${CHANNELS[channel].name}. The channel works.`,
      }),
  }
}

/** Numbers of alerts are those of one data folder; the time makes them those of one server. */
function messageOf({ key, raisedAt, title, text, severity }: AlertMessage): ChannelMessage {
  return { id: `${key}-${Date.parse(raisedAt)}`, subject: title, text: `${text}\n\nSeverity: ${severity}` }
}

const CHANNELS = {
  email: {
    name: 'Email',
    isOn: 'email_notifications',
    required: [
      ['smtp_host', 'the SMTP server'],
      ['email_from', 'the sender of e-mail'],
      ['email_to', 'the receiver of e-mail'],
    ],
    secrets: ['smtp_password'],
  },
  slack: {
    name: 'Slack',
    isOn: 'slack_notifications',
    required: [['slack_secret_url', 'the address of the Slack webhook']],
    secrets: ['slack_secret_url'],
  },
  sms: {
    name: 'SMS',
    isOn: 'sms_notifications',
    required: [
      ['sms_secret_url', 'the address of the SMS gateway'],
      ['sms_to', 'the phone number'],
    ],
    secrets: ['sms_secret_url', 'sms_token'],
  },
} as const
