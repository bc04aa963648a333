/** What a check found. A failure keeps the server from working; a warning does not. */
export interface Finding {
  level: 'ok' | 'warning' | 'failure'
  /** What was checked. */
  subject: string
  text: string
  /** What to do; not for `ok`. */
  remedy?: string
}

export function ok(subject: string, text: string): Finding {
  return { level: 'ok', subject, text }
}

export function warning(subject: string, text: string, remedy: string): Finding {
  return { level: 'warning', subject, text, remedy }
}

export function failure(subject: string, text: string, remedy: string): Finding {
  return { level: 'failure', subject, text, remedy }
}

const MARKS = { ok: 'ok     ', warning: 'warning', failure: 'FAILED ' } as const

/** One line per finding, with the remedy below it. */
export function describeFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ subject }) => subject.length))
  const lines = findings.flatMap(({ level, subject, text, remedy }) => [
    `${MARKS[level]}  ${subject.padEnd(width)}  ${text}`,
    ...(remedy === undefined ? [] : [`${' '.repeat(MARKS.ok.length + width + 4)}→ ${remedy}`]),
  ])
  const count = (level: Finding['level']) => findings.filter((finding) => finding.level === level).length
  return [...lines, '', `${count('failure')} failures, ${count('warning')} warnings`].join('\n')
}
