import pg, { type ClientConfig } from 'pg'
import { MessageLimiter, type ResultLimits } from './message-limiter.ts'

/** What the library's parser reads from. */
interface MessageSource {
  on(event: string, listener: (...args: never[]) => void): unknown
}

/** A client whose results are cut while they are read. */
export class ResultLimitClient extends pg.Client {
  readonly #limiter = new MessageLimiter()

  constructor(config?: ClientConfig) {
    super(config)
    // The library's types do not know where its parser is attached, to the socket or to the TLS stream on it.
    const connection = this.connection as unknown as { attachListeners(source: MessageSource): void }
    const attach = connection.attachListeners.bind(connection)
    connection.attachListeners = (source) => attach(this.#limit(source))
  }

  /** Sets the bounds of the next transaction's results. */
  limitResults(limits: ResultLimits): void {
    this.#limiter.setLimits(limits)
  }

  #limit(source: MessageSource): MessageSource {
    return {
      on: (event, listener) => {
        if (event !== 'data') return source.on(event, listener)
        // Data arrives as buffers, and the parser takes buffers.
        const parse = listener as unknown as (bytes: Buffer) => void
        return source.on('data', (chunk: Buffer) => {
          for (const bytes of this.#limiter.push(chunk)) parse(bytes)
        })
      },
    }
  }
}
