import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'

const reasons = new Map<string, string>([
  ['InvalidSymbol', 'unexpected text'],
  ['InvalidNumberFormat', 'this is not a number'],
  ['PropertyNameExpected', 'a property name in double quotes is missing'],
  ['ValueExpected', 'a value is missing'],
  ['ColonExpected', 'a colon is missing'],
  ['CommaExpected', 'a comma is missing'],
  ['CloseBraceExpected', 'a closing brace is missing'],
  ['CloseBracketExpected', 'a closing bracket is missing'],
  ['EndOfFileExpected', 'nothing may follow the value'],
  ['InvalidCommentToken', 'comments are not allowed'],
  ['UnexpectedEndOfComment', 'comments are not allowed'],
  ['UnexpectedEndOfString', 'a closing double quote is missing'],
  ['UnexpectedEndOfNumber', 'the number is incomplete'],
  ['InvalidUnicode', 'four hexadecimal digits must follow \\u'],
  ['InvalidEscapeCharacter', 'this character cannot follow a backslash'],
  ['InvalidCharacter', 'control characters must be escaped'],
])

/**
 * Where and why a text is not JSON, or undefined if it is. JSON.parse decides; jsonc-parser locates the error, because
 * the messages of JSON.parse differ between browsers and often name no position.
 */
export function describeJsonError(text: string): string | undefined {
  if (isJson(text)) return undefined
  const errors: ParseError[] = []
  parse(text, errors, { disallowComments: true })
  const [first] = errors
  if (!first) return 'Not valid JSON.'
  const reason = reasons.get(printParseErrorCode(first.error)) ?? 'unexpected text'
  return `Not valid JSON. ${positionOf(text, first.offset)}: ${reason}.`
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function positionOf(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n')
  return `Line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}
