import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { LOG_LEVELS, LOG_LINES_MAX, type LogLevel, type LogLine } from '@binnacle/contract'
import type { DestinationStream } from 'pino'
import { maskSecrets } from '#storage/audit/mask.ts'

/** The latest log lines, for screens. A line is parsed only when somebody reads it. */
export interface LogTail extends DestinationStream {
  /** The latest that match, oldest first. */
  latest(filter: LogFilter): LogLine[]
  /** Calls the listener with each new line. Returns a function that removes it. */
  onLine(listener: (line: LogLine) => void): () => void
}

export interface LogFilter {
  level?: LogLevel | undefined
  text?: string | undefined
  limit: number
}

interface HeldLine {
  id: number
  json: string
}

/** Begins with the end of the file, so that the lines before a restart are there too. */
export function createLogTail(file?: string): LogTail {
  const held: HeldLine[] = []
  const listeners = new Set<(line: LogLine) => void>()
  let lastId = 0

  function hold(json: string): HeldLine {
    lastId += 1
    const line = { id: lastId, json }
    held.push(line)
    // Dropped in batches: shifting at every line would move the whole list.
    if (held.length >= 2 * LOG_LINES_MAX) held.splice(0, LOG_LINES_MAX)
    return line
  }

  for (const json of file === undefined ? [] : lastLines(file)) hold(json)
  return {
    write(json) {
      const line = hold(json)
      if (listeners.size === 0) return
      const parsed = parseLine(line)
      if (parsed !== undefined) for (const listener of listeners) listener(parsed)
    },
    latest(filter) {
      const found: LogLine[] = []
      for (const line of held.toReversed()) {
        if (found.length >= filter.limit) break
        const parsed = parseLine(line)
        if (parsed !== undefined && matches(parsed, filter)) found.push(parsed)
      }
      return found.reverse()
    },
    onLine(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const TAIL_BYTES = 256 * 1024

function lastLines(file: string): string[] {
  try {
    const opened = openSync(file, 'r')
    try {
      const { size } = fstatSync(opened)
      const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES))
      readSync(opened, bytes, 0, bytes.length, size - bytes.length)
      const lines = bytes.toString('utf8').split('\n').slice(0, -1)
      return size > TAIL_BYTES ? lines.slice(1) : lines
    } finally {
      closeSync(opened)
    }
  } catch {
    // There is no file before the first start.
    return []
  }
}

function matches({ level, event, text, request_id }: LogLine, filter: LogFilter): boolean {
  if (filter.level !== undefined && LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(filter.level)) return false
  if (filter.text === undefined) return true
  return `${event} ${text} ${request_id ?? ''}`.toLowerCase().includes(filter.text.toLowerCase())
}

/** Undefined for a line that is cut off, as at the end of a killed process. */
function parseLine({ id, json }: HeldLine): LogLine | undefined {
  try {
    const { level, time, event, request_id, ...rest } = JSON.parse(json)
    return {
      id,
      at: String(time),
      level: LOG_LEVELS[Math.round(Number(level) / 10) - 1] ?? 'info',
      event: String(event ?? 'log'),
      text: textOf(String(event ?? ''), rest),
      request_id: typeof request_id === 'string' ? request_id : null,
    }
  } catch {
    return undefined
  }
}

/** One sentence for a request; for others their message and what else they say, without secrets. */
function textOf(event: string, fields: Record<string, unknown>): string {
  if (event === 'request') return `${fields.method} ${fields.path} ${fields.status} in ${fields.ms} ms`
  const { message, msg, err, ...rest } = Object(maskSecrets(fields))
  const said = [message, msg, Object(err).message].filter((part) => typeof part === 'string' && part !== '')
  const others = Object.entries(rest).map(([name, value]) => `${name}=${plain(value)}`)
  return [...said, ...others].join(' ')
}

function plain(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}
