import { existsSync, fstatSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { type DestinationStream, destination } from 'pino'

/** A log file with rotation by size: a full file gets a number, and the oldest is deleted. */
export interface LogFile extends DestinationStream {
  /** Resolves when the last line is written; nothing may be written after it. */
  close(): Promise<void>
}

export interface LogFileLimits {
  maxBytes: number
  /** Number of full files that stay; `.1` is the newest. */
  maxRotated: number
}

const LIMITS: LogFileLimits = { maxBytes: 10 * 1024 * 1024, maxRotated: 5 }

/** Lines are buffered this long: one write per line costs more than the line itself. */
const FLUSH_INTERVAL_MS = 20

/** Buffer for a disk that accepts no writes; lines beyond it are dropped. */
const MAX_BUFFER_BYTES = 4 * 1024 * 1024

export function openLogFile(file: string, limits = LIMITS): LogFile {
  mkdirSync(dirname(file), { recursive: true })
  let current = openStream(file)
  let buffer = ''
  let timer: NodeJS.Timeout | undefined
  const closing: Promise<unknown>[] = []

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (buffer !== '') current.write(buffer)
    buffer = ''
  }

  // Runs before the stream's own exit handler flushes.
  process.prependListener('exit', flush)

  /** Continues with the current file if a new one cannot be opened: a long log is better than none. */
  function rotate(): void {
    try {
      renumberFiles(file, limits.maxRotated)
      const full = current
      current = openStream(file)
      closing.push(full.end())
    } catch {
      current.sizeBytes = 0
    }
  }

  return {
    write(line) {
      current.sizeBytes += Buffer.byteLength(line)
      buffer += line
      timer ??= setTimeout(flush, FLUSH_INTERVAL_MS)
      if (current.sizeBytes < limits.maxBytes) return
      flush()
      rotate()
    },
    async close() {
      process.off('exit', flush)
      flush()
      await Promise.all([...closing, current.end()])
    },
  }
}

function openStream(file: string) {
  const fd = openSync(file, 'a')
  const stream = destination({ fd, sync: false, maxLength: MAX_BUFFER_BYTES })
  stream.on('error', () => {
    // A full disk must not end the server. Unwritten lines are retried with the next write; the flush at process exit
    // would retry for ever and is disabled.
    stream.flushSync = () => {}
  })
  return {
    sizeBytes: fstatSync(fd).size,
    write: (lines: string) => stream.write(lines),
    end() {
      const closed = new Promise((resolve) => stream.once('close', resolve))
      stream.once('error', () => stream.destroy())
      stream.end()
      return closed
    },
  }
}

/** Pending writes go to the renamed file, by its descriptor. */
function renumberFiles(file: string, maxRotated: number): void {
  rmSync(`${file}.${maxRotated}`, { force: true })
  for (let number = maxRotated - 1; number >= 1; number--) {
    renameIfExists(`${file}.${number}`, `${file}.${number + 1}`)
  }
  renameIfExists(file, `${file}.1`)
}

function renameIfExists(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to)
}
