import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Destination } from './destination.ts'

export interface Exchange {
  destination: Destination
  method: string
  headers: Record<string, string>
  body: Buffer | undefined
  /** How much of the reply's body is kept; with 0 it is not read at all. */
  keepBytes: number
  signal: AbortSignal
}

export interface ExchangeReply {
  status: number
  contentType: string | undefined
  /** What was read; there was more if it is cut. */
  sizeBytes: number
  isCut: boolean
  kept: Buffer
}

/** Reading ends here: what is not kept is only counted, and nobody needs a count without end. */
const READ_LIMIT_BYTES = 1024 * 1024

/** One request and one reply on a connection of their own, to a checked address. */
export function exchange(sent: Exchange): Promise<ExchangeReply> {
  const { url, host } = sent.destination
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const outgoing = send({
      protocol: url.protocol,
      hostname: host,
      port: url.port,
      path: `${url.pathname}${url.search}`,
      method: sent.method,
      headers: sent.headers,
      agent: false,
      lookup: lookupIn(sent.destination),
      signal: sent.signal,
    })
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      incoming.on('error', reject)
      readReply(incoming, sent.keepBytes, (reply) => {
        resolve(reply)
        outgoing.destroy()
      })
    })
    outgoing.end(sent.body)
  })
}

/** What was resolved and checked, in place of a second look-up that could end elsewhere. */
function lookupIn({ addresses }: Destination): LookupFunction {
  return (_name, options, callback) => {
    const [first] = addresses
    if (options.all === true) callback(null, addresses)
    else callback(null, first?.address ?? '', first?.family)
  }
}

function readReply(incoming: IncomingMessage, keepBytes: number, done: (reply: ExchangeReply) => void): void {
  const kept: Buffer[] = []
  let sizeBytes = 0
  const finish = (isCut: boolean) =>
    done({
      status: incoming.statusCode ?? 0,
      contentType: incoming.headers['content-type'],
      sizeBytes,
      isCut,
      kept: Buffer.concat(kept),
    })
  if (keepBytes === 0) {
    finish(true)
    return
  }
  incoming.on('data', (chunk: Buffer) => {
    const room = keepBytes - Math.min(sizeBytes, keepBytes)
    const counted = chunk.subarray(0, READ_LIMIT_BYTES - sizeBytes)
    if (room > 0) kept.push(counted.subarray(0, room))
    sizeBytes += counted.length
    if (sizeBytes === READ_LIMIT_BYTES) finish(true)
  })
  incoming.on('end', () => finish(false))
}
