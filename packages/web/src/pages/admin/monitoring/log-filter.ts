import { LOG_LEVELS, type LogLevel, type LogLine } from '@binnacle/contract'

export type LevelChoice = 'all' | Extract<LogLevel, 'info' | 'warn' | 'error'>

/** More lines make the page slow; the text filter finds older ones. */
const MAX_SHOWN = 500

/** MON-13: lines of this level and above that contain the text, newest first. */
export function filterLines(lines: readonly LogLine[], level: LevelChoice, text: string): LogLine[] {
  const searched = text.trim().toLowerCase()
  return lines
    .filter((line) => level === 'all' || rankOf(line.level) >= rankOf(level))
    .filter(
      ({ event, text: said, request_id }) =>
        searched === '' || `${event} ${said} ${request_id ?? ''}`.toLowerCase().includes(searched),
    )
    .slice(-MAX_SHOWN)
    .reverse()
}

/** Lines of exactly this level; fatal counts as an error. */
export function countOf(lines: readonly LogLine[], level: 'warn' | 'error'): number {
  return lines.filter((line) => line.level === level || (level === 'error' && line.level === 'fatal')).length
}

function rankOf(level: LogLevel): number {
  return LOG_LEVELS.indexOf(level)
}
