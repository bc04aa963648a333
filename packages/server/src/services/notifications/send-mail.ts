import type { SystemSettingKey } from '@binnacle/contract'
import { createTransport } from 'nodemailer'
import type { FindMailHost } from '#services/outbound/mail-host.ts'
import type { ChannelAnswer, ChannelMessage } from './channel-message.ts'

const TIMEOUT_MS = 10_000

/** Each message has its own connection: there are few of them. */
export async function sendMail(
  { id, subject, text }: ChannelMessage,
  setting: (key: SystemSettingKey) => string,
  findHost: FindMailHost,
): Promise<ChannelAnswer> {
  const [host, port, tls] = [setting('smtp_host'), Number(setting('smtp_port')), setting('smtp_tls')]
  const [user, pass] = [setting('smtp_user'), setting('smtp_password')]
  const found = await findHost(host, port)
  if ('refusal' in found) return { isAccepted: false, answer: found.refusal }
  if (tls === 'none' && user !== '' && !found.isLoopback)
    return { isAccepted: false, answer: NO_CLEAR_PASSWORD }
  const transport = createTransport({
    host: found.address,
    port,
    secure: tls === 'tls',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    tls: { servername: host },
    ...(user !== '' && { auth: { user, pass } }),
    connectionTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  })
  try {
    const messageId = `<${id}@binnacle>`
    const sent = await transport.sendMail({
      from: setting('email_from'),
      to: setting('email_to'),
      subject,
      text,
      messageId,
    })
    return { isAccepted: true, answer: String(sent.response) }
  } catch (fault) {
    return { isAccepted: false, answer: describeFault(fault, host) }
  } finally {
    transport.close()
  }
}

const NO_CLEAR_PASSWORD =
  'The password would be sent unencrypted. Choose starttls or tls in Settings; none is for a mail server on this machine.'

function describeFault(fault: unknown, host: string): string {
  const { response, message, code } = Object(fault)
  if (typeof response === 'string') return response
  return `${host}: ${String(message)}${typeof code === 'string' ? ` (${code})` : ''}`
}
