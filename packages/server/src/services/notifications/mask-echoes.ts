import { MASKED } from '#storage/audit/mask-statement.ts'

/** Shorter words of an answer say nothing about a secret. */
const MIN_CHARS = 6
const WORD = /[\w+/=.%~:@&?-]{6,}/g

/**
 * Masks what a provider repeats of secrets in its answer: the whole, or a part such as the path of an address or the
 * beginning of an answer that was cut.
 */
export function maskEchoes(answer: string, secrets: readonly string[]): string {
  const known = secrets.filter((secret) => secret !== '').sort((one, other) => other.length - one.length)
  const whole = known.reduce((said, secret) => said.replaceAll(secret, MASKED), answer)
  const parts = known.map((secret) => secretPartOf(secret).toLowerCase())
  const long = parts.filter(({ length }) => length >= MIN_CHARS)
  return whole.replace(WORD, (word) => {
    const text = word.toLowerCase()
    return long.some((part) => part.includes(text) || text.includes(part)) ? MASKED : word
  })
}

/** The host of an address is no secret, and a failure names it. */
function secretPartOf(secret: string): string {
  const url = URL.parse(secret)
  return url?.protocol.startsWith('http') ? url.pathname + url.search : secret
}
