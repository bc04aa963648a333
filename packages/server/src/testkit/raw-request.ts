import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

export interface RawReply {
  status: number
  /** Everything before the body, as it came. */
  head: string
  body: string
}

/** Sends exactly these lines, which no HTTP client would let us choose, and reads until the server hangs up. */
export async function sendRaw(port: number, lines: string[], host = '127.0.0.1'): Promise<RawReply> {
  const socket = connect(port, host)
  await once(socket, 'connect')
  socket.write(lines.join('\r\n'))
  const reply = await text(socket)
  const [head = '', body = ''] = reply.split(/\r\n\r\n(.*)/s)
  return { status: Number(head.slice(9, 12)), head, body }
}

/** A whole request in lines, asking the server to hang up after it. */
export function requestLines(start: string, headers: string[], body = ''): string[] {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  return [start, ...headers, ...length, 'Connection: close', '', body]
}
