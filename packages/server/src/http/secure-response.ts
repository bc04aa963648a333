import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http'
import { ServerResponse } from './node-http.ts'
import { SECURITY_HEADERS } from './reply-headers.ts'

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined

/**
 * Writes the security headers with the head of every reply, also of one that Node heads by itself. Set one by one before,
 * they took an eighth of the time of a small reply.
 */
export class SecureResponse extends ServerResponse<IncomingMessage> {
  override writeHead(status: number, message?: string | Headers, headers?: Headers): this {
    if (typeof message === 'string') return super.writeHead(status, message, withSecurity(headers))
    return super.writeHead(status, withSecurity(message ?? headers))
  }
}

const FIELDS: OutgoingHttpHeaders = Object.fromEntries(SECURITY_HEADERS)
const FIELD_LIST: OutgoingHttpHeader[] = [...SECURITY_HEADERS].flat()

/** The reply's own headers come last: they replace one of the same name. */
function withSecurity(headers: Headers): Headers {
  if (Array.isArray(headers)) return [...FIELD_LIST, ...headers]
  return Object.assign({}, FIELDS, headers)
}
