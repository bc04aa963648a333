import { IDEMPOTENCY_HEADER, type SystemSettingKey } from '@binnacle/contract'
import type { Outbound } from '#services/outbound/outbound.ts'
import type { ChannelAnswer, ChannelMessage } from './channel-message.ts'

type ReadSetting = (key: SystemSettingKey) => string

const MAX_ANSWER_BYTES = 500

/** Slack's incoming webhooks, and services that accept the same JSON. */
export function postSlack(
  message: ChannelMessage,
  setting: ReadSetting,
  outbound: Outbound,
): Promise<ChannelAnswer> {
  const body = { text: `*${escapeSlack(message.subject)}*\n${escapeSlack(message.text)}` }
  return post(outbound, { url: setting('slack_secret_url'), id: message.id, body })
}

/** A gateway that sends text messages: one POST with the receiver and the text. */
export function postSms(
  message: ChannelMessage,
  setting: ReadSetting,
  outbound: Outbound,
): Promise<ChannelAnswer> {
  const token = setting('sms_token')
  const body = { to: setting('sms_to'), text: `${message.subject}\n${message.text}` }
  const headers = token === '' ? {} : { authorization: `Bearer ${token}` }
  return post(outbound, { url: setting('sms_secret_url'), id: message.id, body, headers })
}

interface WebhookCall {
  url: string
  id: string
  body: object
  headers?: Readonly<Record<string, string>>
}

async function post(outbound: Outbound, { url, id, body, headers }: WebhookCall): Promise<ChannelAnswer> {
  const outcome = await outbound.send({
    method: 'POST',
    url,
    headers: { ...headers, 'content-type': 'application/json', [IDEMPOTENCY_HEADER]: id },
    body: JSON.stringify(body),
    maxBodyBytes: MAX_ANSWER_BYTES,
  })
  if (!outcome.ok) return { isAccepted: false, answer: outcome.sentence }
  const { status } = outcome
  const said = outcome.body.toString('utf8').trim()
  return {
    isAccepted: status >= 200 && status < 300,
    answer: said === '' ? `HTTP ${status}` : `HTTP ${status}: ${said}`,
  }
}

/** Slack's three control characters. */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
