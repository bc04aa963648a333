/** Thrown for a request that is not sent; the message gives the reason. */
export class OutboundRefusal extends Error {}

/** Describes a failed call for the user; an unknown error is shown with its code. */
export function describeFailure(failure: unknown, host: string): string {
  if (failure instanceof OutboundRefusal) return failure.message
  const code = codeOf(failure)
  const sentence = SENTENCES[code]
  if (sentence !== undefined) return sentence(host)
  if (code.startsWith('HPE_')) return `${host} does not speak HTTP.`
  if (/CERT|SELF_SIGNED|ISSUER/.test(code)) {
    return `The certificate of ${host} is not trusted (${code}).`
  }
  return code === '' ? `The call to ${host} failed.` : `The call to ${host} failed (${code}).`
}

const SENTENCES: Record<string, (host: string) => string> = {
  ECONNREFUSED: (host) => `Nothing listens at ${host}: the connection was refused.`,
  ECONNRESET: (host) => `${host} closed the connection before its response was complete.`,
  EPIPE: (host) => `${host} closed the connection before its response was complete.`,
  ENOTFOUND: (host) => `The name ${host} does not exist.`,
  EAI_AGAIN: (host) => `The name ${host} could not be resolved. Try again later.`,
  EHOSTUNREACH: (host) => `${host} cannot be reached.`,
  ENETUNREACH: (host) => `${host} cannot be reached.`,
  ETIMEDOUT: (host) => `${host} did not accept the connection.`,
  EPROTO: (host) => `${host} does not speak TLS, or a version that is not accepted.`,
  HPE_HEADER_OVERFLOW: (host) => `The response headers of ${host} are too large.`,
}

/** Node reports several failed addresses as one AggregateError. */
function codeOf(failure: unknown): string {
  if (failure instanceof AggregateError) return codeOf(failure.errors[0])
  const { code } = Object(failure)
  return typeof code === 'string' ? code : ''
}
