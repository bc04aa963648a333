import * as z from 'zod'

/** Free text, line breaks included. Refuses what no store can save unchanged: NUL and lone surrogates. */
export function textUpTo(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .regex(STORABLE, { error: 'must not contain NUL or broken characters', abort: true })
}

/**
 * A name or other text of one line. Refuses invisible characters and those that change the reading direction,
 * so that two names that look equal are equal.
 */
export function lineUpTo(maxLength: number) {
  return textUpTo(maxLength).regex(LINE, {
    error: 'must be one line of text, not blank, without spaces around it and without control characters',
  })
}

/** For a change whose fields are all optional: `.refine(...AT_LEAST_ONE_FIELD).meta({ id, ...ONE_FIELD_SCHEMA })`. */
export const AT_LEAST_ONE_FIELD = [
  (change: object) => Object.values(change).some((value) => value !== undefined),
  { error: 'send at least one field to change' },
] as const

/** The same for JSON Schema, to which a check by a function is not printed. */
export const ONE_FIELD_SCHEMA = { minProperties: 1 } as const

/** With the u flag a surrogate matches only when it stands alone. As patterns they are printed to the OpenAPI document. */
const NUL = '\\0'
const STORABLE = new RegExp(`^[^${NUL}\\ud800-\\udfff]*$`, 'u')

/** No control characters or line breaks, no direction marks, no white space at either end. */
const LINE = /^(?![\s\S]*[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069])\S(?:[\s\S]*\S)?$/u
