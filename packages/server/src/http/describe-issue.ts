import type * as z from 'zod'

/** Describes a validation issue as the rest of a sentence that begins with the field: `must be at least 0`. */
export function describeIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return isMissing(issue) ? 'is missing' : `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`
    case 'too_small':
      return isEmptyText(issue)
        ? 'must not be empty'
        : describeBound(issue, issue.minimum, ['at least', 'more than'])
    case 'too_big':
      return describeBound(issue, issue.maximum, ['at most', 'less than'])
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`
    case 'invalid_format':
      return FORMAT_MESSAGES[issue.format] ?? issue.message
    default:
      return issue.message.replace(/^Invalid input: /, '')
  }
}

const TYPE_NAMES: Record<string, string> = {
  number: 'a number',
  int: 'a whole number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const FORMAT_MESSAGES: Record<string, string> = {
  datetime: 'must be a time such as 2026-01-31T00:00:00Z',
  date: 'must be a date such as 2026-01-31',
}

/** Issues do not contain the value, which may be a secret; the message names its type. */
function isMissing({ message }: z.core.$ZodIssue): boolean {
  return message.endsWith('received undefined')
}

function isEmptyText({ origin, minimum }: z.core.$ZodIssueTooSmall): boolean {
  return origin === 'string' && minimum === 1
}

function describeBound(
  { origin, inclusive }: { origin: string; inclusive?: boolean },
  limit: number | bigint,
  [including, excluding]: readonly [string, string],
): string {
  const amount = `${inclusive === false ? excluding : including} ${limit}`
  if (origin === 'string') return `must have ${amount} characters`
  return origin === 'array' || origin === 'set' ? `must have ${amount} entries` : `must be ${amount}`
}
