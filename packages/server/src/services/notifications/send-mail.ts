import { connect } from 'node:net'
import type { SystemSettingKey } from '@binnacle/contract'
import type { FindMailHost } from '#services/outbound/mail-host.ts'
import type { ChannelAnswer, ChannelMessage } from './channel-message.ts'

/** Without any byte of the server. */
const SILENCE_MS = 10_000
/** For the whole message: a server that sends a byte now and then would hold it for ever. */
const DEADLINE_MS = 30_000

export interface MailOptions {
  setting: (key: SystemSettingKey) => string
  findHost: FindMailHost
  deadlineMs?: number | undefined
}

/** Each message has its own connection: there are few of them. */
export async function sendMail(
  { id, subject, text }: ChannelMessage,
  { setting, findHost, deadlineMs = DEADLINE_MS }: MailOptions,
): Promise<ChannelAnswer> {
  const [host, port, tls] = [setting('smtp_host'), Number(setting('smtp_port')), setting('smtp_tls')]
  const [user, pass] = [setting('smtp_user'), setting('smtp_password')]
  const found = await findHost(host, port)
  if ('refusal' in found) return { isAccepted: false, answer: found.refusal }
  if (tls === 'none' && user !== '' && !found.isLoopback)
    return { isAccepted: false, answer: NO_CLEAR_PASSWORD }
  // Loaded with the first message: most installations send none, and a start would wait for it.
  const { createTransport } = await import('nodemailer')
  // Our own socket, since closing the transport does not end a conversation.
  const socket = connect({ host: found.address, port })
  const deadline = setTimeout(() => {
    socket.destroy(new Error(`the message was not accepted within ${deadlineMs / 1000} s`))
  }, deadlineMs)
  socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error(`no answer for ${SILENCE_MS / 1000} s`)))
  const transport = createTransport({
    getSocket: (_, onSocket) => {
      socket.once('error', onSocket)
      socket.once('connect', () => {
        socket.off('error', onSocket)
        onSocket(null, { connection: socket })
      })
    },
    host: found.address,
    port,
    secure: tls === 'tls',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    tls: { servername: host },
    ...(user !== '' && { auth: { user, pass } }),
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
    clearTimeout(deadline)
    transport.close()
    socket.destroy()
  }
}

const NO_CLEAR_PASSWORD =
  'The password would be sent unencrypted. Choose starttls or tls in Settings; none is for a mail server on this machine.'

function describeFault(fault: unknown, host: string): string {
  const { response, message, code } = Object(fault)
  if (typeof response === 'string') return response
  return `${host}: ${String(message)}${typeof code === 'string' ? ` (${code})` : ''}`
}
