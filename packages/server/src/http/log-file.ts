import { existsSync, fstatSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { type DestinationStream, destination } from 'pino'

/** A log that makes room for itself: a file that is full gets a number, and the oldest goes. */
export interface LogFile extends DestinationStream {
  /** Ends when the last line is written; nothing may be written after it. */
  close(): Promise<void>
}

export interface LogFileLimits {
  maxBytes: number
  /** How many full files stay, as `.1`, the youngest, and so on. */
  keep: number
}

const LIMITS: LogFileLimits = { maxBytes: 10 * 1024 * 1024, keep: 5 }

/** Lines of so long a time are written together: a write of its own for every line costs more than the line. */
const TOGETHER_MS = 20

/** So much waits for a disk that takes nothing; lines beyond it are dropped. */
const WAITING_BYTES = 4 * 1024 * 1024

export function openLogFile(file: string, limits = LIMITS): LogFile {
  mkdirSync(dirname(file), { recursive: true })
  let current = openPart(file)
  let waiting = ''
  let timer: NodeJS.Timeout | undefined
  const endings: Promise<unknown>[] = []

  function handOver(): void {
    clearTimeout(timer)
    timer = undefined
    if (waiting !== '') current.write(waiting)
    waiting = ''
  }

  // Before the stream's own farewell, which writes what it has.
  process.prependListener('exit', handOver)

  /** When there is no room for another file the old one goes on: a long log is better than none. */
  function turnOver(): void {
    try {
      shiftNumbers(file, limits.keep)
      const full = current
      current = openPart(file)
      endings.push(full.end())
    } catch {
      current.sizeBytes = 0
    }
  }

  return {
    write(line) {
      current.sizeBytes += Buffer.byteLength(line)
      waiting += line
      timer ??= setTimeout(handOver, TOGETHER_MS)
      if (current.sizeBytes < limits.maxBytes) return
      handOver()
      turnOver()
    },
    async close() {
      process.off('exit', handOver)
      handOver()
      await Promise.all([...endings, current.end()])
    },
  }
}

function openPart(file: string) {
  const fd = openSync(file, 'a')
  const stream = destination({ fd, sync: false, maxLength: WAITING_BYTES })
  stream.on('error', () => {
    // A full disk must not end the server. What was not written is tried again with the next line; only the flush at
    // the end of the process would try for ever.
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

/** Lines on their way into a file follow it under its new name. */
function shiftNumbers(file: string, keep: number): void {
  rmSync(`${file}.${keep}`, { force: true })
  for (let number = keep - 1; number >= 1; number--) {
    moveIfThere(`${file}.${number}`, `${file}.${number + 1}`)
  }
  moveIfThere(file, `${file}.1`)
}

function moveIfThere(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to)
}
