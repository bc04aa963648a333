/**
 * One small edit and the tests that must notice it. The text to find stands in the file exactly once.
 * A rule's number asks for a red test that cites it; any other name, for any red test of the files.
 */
export type Breakage = readonly [
  rule: string,
  file: string,
  find: string,
  replace: string,
  ...tests: string[],
]

/** The text with the edit made, or nothing if it does not fit exactly once. */
export function applyEdit(text: string, find: string, replace: string): string | undefined {
  const [before, after, ...more] = text.split(find)
  if (before === undefined || after === undefined || more.length > 0) return undefined
  return `${before}${replace}${after}`
}

/** What the titles of the tests that answer for the rule look like. */
export function titlePattern(rule: string): string {
  return /^[A-Z]+-\d+$/.test(rule) ? `\\[([A-Z]+-\\d+, ?)*${rule}[\\],]` : '.'
}
