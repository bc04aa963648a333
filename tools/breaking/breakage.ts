/**
 * One small edit and the tests that must fail with it. The text to find occurs in the file exactly once.
 * For a rule number, a test that cites the rule must fail; for any other name, any test of the files.
 */
export type Breakage = readonly [
  rule: string,
  file: string,
  find: string,
  replace: string,
  ...tests: string[],
]

/** Returns the edited text, or undefined unless `find` occurs exactly once. */
export function applyEdit(text: string, find: string, replace: string): string | undefined {
  const [before, after, ...more] = text.split(find)
  if (before === undefined || after === undefined || more.length > 0) return undefined
  return `${before}${replace}${after}`
}

/** Matches the titles of the tests that cite the rule. */
export function titlePattern(rule: string): string {
  return /^[A-Z]+-\d+$/.test(rule) ? `\\[([A-Z]+-\\d+, ?)*${rule}[\\],]` : '.'
}
