import type { Duplex } from 'node:stream'
import { PROBLEM_CONTENT_TYPE, REQUEST_ID_HEADER } from '@binnacle/contract'
import { STATUS_CODES } from './node-http.ts'
import { newRequestId, problemOf, Refused } from './problems.ts'
import { SECURITY_HEADERS } from './reply-headers.ts'

const REFUSALS: Record<string, Refused> = {
  ERR_HTTP_REQUEST_TIMEOUT: new Refused(
    'request.too-slow',
    'The request did not arrive in time. Send it again.',
  ),
  HPE_HEADER_OVERFLOW: new Refused(
    'request.headers-too-large',
    'The address and headers exceed 16 KiB. Send fewer or shorter headers.',
  ),
}

const MALFORMED = new Refused('request.malformed', 'This is not a valid HTTP/1.1 request. Check the client.')

/** Answers bytes that are not a valid request: there is only the socket, no response object. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  endWithProblem(socket, REFUSALS[error.code ?? ''] ?? MALFORMED)
}

/** Writes a problem as the last reply of a connection that has no response object, then ends the connection. */
export function endWithProblem(
  socket: Duplex,
  refused: Refused,
  ownHeaders: ReadonlyMap<string, string> = new Map(),
): void {
  const requestId = newRequestId()
  const problem = problemOf(refused, requestId)
  const body = JSON.stringify(problem)
  const headers = [
    ...SECURITY_HEADERS,
    ...ownHeaders,
    ['content-type', PROBLEM_CONTENT_TYPE],
    ['content-length', Buffer.byteLength(body)],
    [REQUEST_ID_HEADER, requestId],
    ['connection', 'close'],
  ]
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${head}\r\n${body}`)
}
