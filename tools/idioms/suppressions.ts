import { isTest } from '../source/tree.ts'

export interface Suppression {
  path: string
  line: number
  text: string
}

const COMMENT = /^\s*(?:\/\/|\/\*|\*|\{\/\*)\s*/
const MARK = /^(?:biome-ignore|@ts-expect-error|@ts-ignore|@ts-nocheck|eslint-disable)\b.*/

/** Every comment that suppresses a check. The expected error of a type test is its assertion and does not count. */
export function findSuppressions(path: string, text: string): Suppression[] {
  return text.split('\n').flatMap((content, index) => {
    const mark = COMMENT.test(content) ? content.replace(COMMENT, '').match(MARK)?.[0] : undefined
    if (mark === undefined || (isTest(path) && mark.startsWith('@ts-expect-error'))) return []
    return [{ path, line: index + 1, text: mark }]
  })
}

export function checkSuppression({ path, line, text }: Suppression): string[] {
  if (/^(@ts-ignore|@ts-nocheck|eslint-disable)/.test(text)) {
    return [`${path}:${line} suppresses more than one error; use @ts-expect-error or biome-ignore instead.`]
  }
  return hasReason(text) ? [] : [`${path}:${line} suppresses a check without its reason on the same line.`]
}

function hasReason(text: string): boolean {
  const reason = text.startsWith('biome-ignore')
    ? text.replace(/^[^:]*:?/, '')
    : text.replace(/^@ts-expect-error:?/, '')
  return /[a-z]{2,}.*\s/i.test(`${reason.replace(/<explanation>|\*\/\}?/g, '').trim()} `)
}
