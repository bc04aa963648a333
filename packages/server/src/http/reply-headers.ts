import { ENGINE_HEADER, IDEMPOTENCY_HEADER, REQUEST_ID_HEADER } from '@binnacle/contract'

/** design.md 7. Styles may be inline because the UI libraries inject them; scripts may not. */
const CONTENT_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Set on every reply. */
export const SECURITY_HEADERS: ReadonlyMap<string, string> = new Map([
  ['content-security-policy', CONTENT_POLICY],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
])

/** Lets a configured origin read the reply. */
export function corsHeaders(origin: string): ReadonlyMap<string, string> {
  return new Map([
    ['access-control-allow-origin', origin],
    ['vary', 'Origin'],
    ['access-control-expose-headers', `allow, etag, ${REQUEST_ID_HEADER}`],
  ])
}

/** Reply to a preflight request of a configured origin. */
export const PREFLIGHT_HEADERS: ReadonlyMap<string, string> = new Map([
  ['access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE'],
  ['access-control-allow-headers', `content-type, if-match, ${IDEMPOTENCY_HEADER}, ${ENGINE_HEADER}`],
  ['access-control-max-age', '600'],
])
