import type { ServerFrame } from '@binnacle/contract'

type Hello = Extract<ServerFrame, { type: 'hello' }>

/** The server's end of one connection. */
class FakeSocket {
  readonly readyState = WebSocket.OPEN
  readonly sent: unknown[] = []
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: (() => void) | null = null
  isClosed = false

  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }

  close(): void {
    this.isClosed = true
  }

  text(data: string): void {
    this.onmessage?.({ data })
  }

  frame(frame: ServerFrame): void {
    this.text(JSON.stringify(frame))
  }

  hello(given: Partial<Hello>): void {
    const topics = ['orders', 'risk', 'positions', 'strategies', 'fills', 'components']
    const hello = { epoch: 'e-1', oldest_seq: 1, version: 'v1.0.0', topics, heartbeat_ms: 2_000 }
    this.frame({ type: 'hello', seq: 0, ...hello, ...given })
  }

  cut(): void {
    this.onclose?.()
  }
}

/** Stands for the server of a stream. */
export function aFakeStream() {
  const sockets: FakeSocket[] = []
  return {
    open: (_url: string): WebSocket => {
      const socket = new FakeSocket()
      sockets.push(socket)
      // Only what the client uses of a WebSocket is there.
      return socket as unknown as WebSocket
    },
    count: () => sockets.length,
    last: (): FakeSocket => {
      const socket = sockets.at(-1)
      if (socket === undefined) throw new Error('no connection was opened')
      return socket
    },
  }
}
