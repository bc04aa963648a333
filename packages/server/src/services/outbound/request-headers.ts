import { OutboundRefusal } from './outbound-failure.ts'

/** Adds the standard headers to the caller's. Headers of the connection cannot be set. */
export function requestHeaders(
  named: Readonly<Record<string, string>>,
  body: Buffer | undefined,
): Record<string, string> {
  for (const [name, value] of Object.entries(named)) checkHeader(name, value)
  const lowered = Object.entries(named).map(([name, value]) => [name.toLowerCase(), value])
  return {
    'user-agent': 'Binnacle',
    accept: '*/*',
    ...Object.fromEntries(lowered),
    // Size limits count received bytes: a compressed body could expand beyond them.
    'accept-encoding': 'identity',
    connection: 'close',
    ...(body && { 'content-length': String(body.length) }),
  }
}

function checkHeader(name: string, value: string): void {
  if (!TOKEN.test(name)) throw new OutboundRefusal(`'${name}' is not a valid header name.`)
  if (!FIELD_VALUE.test(value)) {
    throw new OutboundRefusal(
      `The value of the header ${name} contains characters that are not allowed in a header.`,
    )
  }
  if (CONNECTION_HEADERS.has(name.toLowerCase())) {
    throw new OutboundRefusal(`The header ${name} is set by the connection. Remove it.`)
  }
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

const CONNECTION_HEADERS = new Set([
  'host',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'proxy-authorization',
  'proxy-connection',
])
