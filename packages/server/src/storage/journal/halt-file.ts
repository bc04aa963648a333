import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'

/** Says beside the journal that trading stopped itself, for a halt that the journal could not record. */
export interface HaltFile {
  /** Why trading stopped itself, or null. */
  readonly reason: string | null
  /** Writes the reason; false when the disk does not take it. */
  set(reason: string): boolean
  /** For when the halt is in the journal. */
  clear(): void
  close(): void
}

const SIZE_BYTES = 1024
const MAX_REASON_CHARS = 200

/** Its bytes are allocated when it is opened and overwritten in place, so a full disk still takes the reason. */
export function openHaltFile(file: string): HaltFile {
  const created = openSync(file, 'a+')
  closeSync(created)
  const handle = openSync(file, 'r+')
  let reason = readReason(file)
  const write = (text: string | null) => {
    const bytes = Buffer.alloc(SIZE_BYTES, ' ')
    bytes.write(text === null ? '' : JSON.stringify({ halted: text.slice(0, MAX_REASON_CHARS) }))
    writeSync(handle, bytes, 0, SIZE_BYTES, 0)
    fsyncSync(handle)
    reason = text
  }
  const tryWrite = (text: string | null) => {
    try {
      write(text)
      return true
    } catch {
      return false
    }
  }
  if (reason === null) write(null)
  return {
    get reason() {
      return reason
    },
    set: (text) => tryWrite(text),
    // One that cannot be cleared halts the next start, which a person can undo.
    clear: () => void tryWrite(null),
    close: () => closeSync(handle),
  }
}

/** A file that cannot be read counts as a halt: a person decides. */
function readReason(file: string): string | null {
  const text = readFileSync(file, 'utf8').trim()
  if (text === '') return null
  try {
    const { halted } = Object(JSON.parse(text))
    return typeof halted === 'string' ? halted : UNREADABLE
  } catch {
    return UNREADABLE
  }
}

const UNREADABLE = 'its halt file cannot be read'
