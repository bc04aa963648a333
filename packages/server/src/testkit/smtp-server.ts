import { createServer, type Socket } from 'node:net'
import type { AtEnd } from '@binnacle/stores/testkit'
import { onTestFinished } from 'vitest'

export interface ReceivedMail {
  from: string
  to: string
  /** Headers and body as they came. */
  content: string
  user: string | undefined
}

export interface SmtpServer {
  port: number
  mails: ReceivedMail[]
  /** Answers the next mails with this instead of accepting them. */
  answerWith(line: string | undefined): void
}

/** A mail server on loopback that speaks SMTP (RFC 5321) with PLAIN authentication and keeps what it accepted. */
export async function openSmtpServer(atEnd: AtEnd = onTestFinished): Promise<SmtpServer> {
  const mails: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  let answer: string | undefined
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    converse(socket, (mail) => {
      if (answer !== undefined) return answer
      mails.push(mail)
      return `250 queued as ${mails.length}`
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  // A server on a port has an address with that port.
  const { port } = server.address() as { port: number }
  return {
    port,
    mails,
    answerWith(line) {
      answer = line
    },
  }
}

function converse(socket: Socket, receive: (mail: ReceivedMail) => string): void {
  let rest = ''
  let content: string[] | undefined
  let mail: Omit<ReceivedMail, 'content'> = { from: '', to: '', user: undefined }
  const say = (line: string) => socket.write(`${line}\r\n`)
  const take = (line: string) => {
    if (content !== undefined) {
      if (line !== '.') content.push(line)
      else {
        say(receive({ ...mail, content: content.join('\n') }))
        content = undefined
      }
      return
    }
    const [, path = ''] = /<(.*)>/.exec(line) ?? []
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'EHLO') say('250-test\r\n250 AUTH PLAIN')
    else if (verb === 'AUTH') {
      const [, user] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
        .toString()
        .split('\0')
      mail = { ...mail, user }
      say('235 accepted')
    } else if (verb === 'MAIL') {
      mail = { ...mail, from: path }
      say('250 ok')
    } else if (verb === 'RCPT') {
      mail = { ...mail, to: path }
      say('250 ok')
    } else if (verb === 'DATA') {
      content = []
      say('354 go on')
    } else if (verb === 'QUIT') {
      say('221 bye')
      socket.end()
    } else say('250 ok')
  }
  say('220 test ESMTP')
  socket.on('data', (bytes) => {
    rest += bytes.toString('utf8')
    const lines = rest.split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  })
}
