import * as z from 'zod'

/** Free text, line breaks included. Refuses what no store can save unchanged: NUL and lone surrogates. */
export function textUpTo(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .refine(isStorable, { error: 'must not contain NUL or broken characters', abort: true })
}

/**
 * A name or other text of one line. Refuses invisible characters and those that change the reading direction,
 * so that two names that look equal are equal.
 */
export function lineUpTo(maxLength: number) {
  return textUpTo(maxLength).refine(isLine, {
    error: 'must be one line of text, not blank, without spaces around it and without control characters',
  })
}

/** For a change whose fields are all optional: `.refine(...AT_LEAST_ONE_FIELD)`. */
export const AT_LEAST_ONE_FIELD = [
  (change: object) => Object.values(change).some((value) => value !== undefined),
  { error: 'send at least one field to change' },
] as const

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

function isLine(text: string): boolean {
  return text !== '' && text === text.trim() && !CONTROL.test(text)
}
