import { OutboundRefusal } from './outbound-refusal.ts'

/** Why a call did not succeed, for the person who reads it; a fault that nobody foresaw gives its code. */
export function sentenceOfFailure(failure: unknown, host: string): string {
  if (failure instanceof OutboundRefusal) return failure.message
  const code = codeOf(failure)
  const sentence = SENTENCES[code]
  if (sentence !== undefined) return sentence(host)
  if (code.startsWith('HPE_')) return `What answers at ${host} does not speak HTTP.`
  if (/CERT|SELF_SIGNED|ISSUER/.test(code)) {
    return `The certificate of ${host} is not trusted (${code}).`
  }
  return code === '' ? `The call to ${host} failed.` : `The call to ${host} failed (${code}).`
}

const SENTENCES: Record<string, (host: string) => string> = {
  ECONNREFUSED: (host) => `Nothing listens at ${host}: the connection was refused.`,
  ECONNRESET: (host) => `${host} closed the connection before its answer was complete.`,
  EPIPE: (host) => `${host} closed the connection before its answer was complete.`,
  ENOTFOUND: (host) => `There is no such name as ${host}.`,
  EAI_AGAIN: (host) => `The name ${host} could not be looked up. Try again later.`,
  EHOSTUNREACH: (host) => `There is no way to reach ${host}.`,
  ENETUNREACH: (host) => `There is no way to reach ${host}.`,
  ETIMEDOUT: (host) => `${host} did not accept the connection.`,
  EPROTO: (host) => `${host} does not speak TLS, or a version that is not accepted.`,
  HPE_HEADER_OVERFLOW: (host) => `The headers of the answer of ${host} are too large.`,
}

/** Several addresses that fail are told as one failure with a list. */
function codeOf(failure: unknown): string {
  if (failure instanceof AggregateError) return codeOf(failure.errors[0])
  const { code } = Object(failure)
  return typeof code === 'string' ? code : ''
}
