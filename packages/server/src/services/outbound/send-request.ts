import type { IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { request as requestHttp } from '#http/node-http.ts'
import type { Destination } from './destination.ts'

export interface RawRequest {
  destination: Destination
  method: string
  headers: Record<string, string>
  body: Buffer | undefined
  /** Maximum part of the response body to return; with 0 the body is not read. */
  maxBodyBytes: number
  signal: AbortSignal
}

export interface RawResponse {
  status: number
  contentType: string | undefined
  /** Bytes read. If `isCut`, the body is longer. */
  sizeBytes: number
  isCut: boolean
  body: Buffer
}

/** Reading stops here; bytes beyond maxBodyBytes are only counted. */
const READ_LIMIT_BYTES = 1024 * 1024

/** Sends one request on its own connection to a checked address. */
export function sendRequest(sent: RawRequest): Promise<RawResponse> {
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
      lookup: fixedLookup(sent.destination),
      signal: sent.signal,
    })
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      incoming.on('error', reject)
      readReply(incoming, sent.maxBodyBytes, (reply) => {
        resolve(reply)
        outgoing.destroy()
      })
    })
    outgoing.end(sent.body)
  })
}

/** Returns the checked addresses: a second lookup could resolve to another one. */
function fixedLookup({ addresses }: Destination): LookupFunction {
  return (_name, options, callback) => {
    const [first] = addresses
    if (options.all === true) callback(null, addresses)
    else callback(null, first?.address ?? '', first?.family)
  }
}

function readReply(
  incoming: IncomingMessage,
  maxBodyBytes: number,
  done: (reply: RawResponse) => void,
): void {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  const finish = (isCut: boolean) =>
    done({
      status: incoming.statusCode ?? 0,
      contentType: incoming.headers['content-type'],
      sizeBytes,
      isCut,
      body: Buffer.concat(chunks),
    })
  if (maxBodyBytes === 0) {
    finish(true)
    return
  }
  incoming.on('data', (chunk: Buffer) => {
    const remaining = maxBodyBytes - Math.min(sizeBytes, maxBodyBytes)
    const counted = chunk.subarray(0, READ_LIMIT_BYTES - sizeBytes)
    if (remaining > 0) chunks.push(counted.subarray(0, remaining))
    sizeBytes += counted.length
    if (sizeBytes === READ_LIMIT_BYTES) finish(true)
  })
  incoming.on('end', () => finish(false))
}
