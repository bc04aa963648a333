import { OutboundRefusal } from './outbound-refusal.ts'

/** All that is sent besides what the caller names; a name that the connection itself needs is not the caller's. */
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
    // The limits count what arrives: a small packed body can be a huge one.
    'accept-encoding': 'identity',
    connection: 'close',
    ...(body && { 'content-length': String(body.length) }),
  }
}

function checkHeader(name: string, value: string): void {
  if (!TOKEN.test(name)) throw new OutboundRefusal(`'${name}' cannot be the name of a header.`)
  if (!FIELD_VALUE.test(value)) {
    throw new OutboundRefusal(`The value of the header ${name} holds characters that a header cannot.`)
  }
  if (OF_THE_CONNECTION.has(name.toLowerCase())) {
    throw new OutboundRefusal(`The header ${name} belongs to the connection and cannot be chosen. Remove it.`)
  }
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

const OF_THE_CONNECTION = new Set([
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
