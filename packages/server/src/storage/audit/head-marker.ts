import { closeSync, constants, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { ChainHead } from './chain.ts'

/**
 * The head of the audit chain in a file of its own. A damaged write-ahead log loses changes together with their records
 * and the head in the store; the marker shows the loss at the next start.
 */
export interface HeadMarker {
  /** The head of the last change that was synced; undefined if there is none or it cannot be read. */
  read(): ChainHead | undefined
  write(head: ChainHead): void
  close(): void
}

const SIZE_BYTES = 256

/** Overwritten in place, so that a full disk does not leave it behind. */
export function openHeadMarker(file: string): HeadMarker {
  const handle = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600)
  let isOpen = true
  return {
    read() {
      try {
        const { seq, hash } = Object(JSON.parse(readFileSync(file, 'utf8')))
        return typeof seq === 'number' && typeof hash === 'string' ? { seq, hash } : undefined
      } catch {
        return undefined
      }
    },
    write({ seq, hash }) {
      const bytes = Buffer.alloc(SIZE_BYTES, ' ')
      bytes.write(JSON.stringify({ seq, hash }))
      try {
        writeSync(handle, bytes, 0, SIZE_BYTES, 0)
        fdatasyncSync(handle)
      } catch {
        // The change is stored; a marker that stays behind claims less, never too much.
      }
    },
    close() {
      if (isOpen) closeSync(handle)
      isOpen = false
    },
  }
}

/** For a store in memory. */
export const NO_MARKER: HeadMarker = { read: () => undefined, write() {}, close() {} }
