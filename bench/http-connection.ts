import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/**
 * One connection that asks and waits for the answer, again and again. It does the least that a client can do: on a machine
 * of few processors what the client takes is missing to the server, and the client would be what is measured.
 */
export class HttpConnection {
  readonly #socket: Socket
  #answer = ''
  #answered: ((status: number) => void) | null = null
  #failed: ((fault: Error) => void) | null = null

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true).setEncoding('latin1')
    socket.on('data', (text: string) => this.#take(text))
    socket.on('error', (fault) => this.#fail(fault))
    socket.on('close', () => this.#fail(new Error('the server closed the connection')))
  }

  static async open({ hostname, port }: URL): Promise<HttpConnection> {
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    return new HttpConnection(socket)
  }

  /** Sends a request as it was written; resolves with the status once the whole answer is there. */
  ask(request: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve
      this.#failed = reject
      this.#socket.write(request, 'latin1')
    })
  }

  close(): void {
    this.#answered = this.#failed = null
    this.#socket.destroy()
  }

  #take(text: string): void {
    this.#answer += text
    const head = this.#answer.indexOf('\r\n\r\n')
    if (head < 0) return
    const length = /\r\ncontent-length: (\d+)/i.exec(this.#answer.slice(0, head))?.[1]
    if (length === undefined) {
      this.#fail(new Error('an answer without its length'))
      return
    }
    if (this.#answer.length < head + 4 + Number(length)) return
    const status = Number(this.#answer.slice(9, 12))
    this.#answer = ''
    this.#answered?.(status)
  }

  #fail(fault: Error): void {
    this.#failed?.(fault)
  }
}

/** Writes a request down once, to be sent many times. The body must be of plain letters. */
export function requestText(url: URL, method: string, path: string, body: string | undefined): string {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${url.host}`]
  if (body !== undefined) lines.push('Content-Type: application/json', `Content-Length: ${body.length}`)
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}
