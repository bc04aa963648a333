import { closeSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { type Bar, type BarColumns, createColumns, type InstrumentId } from '@binnacle/engine'

/** The 1-second bars of the last 24 hours, on disk: one file of fixed size per instrument. */
export interface SecondRing {
  /** Stores a bar in place of the one 24 hours before it. */
  write(instrument: InstrumentId, bar: Bar): void
  /** Returns the bars that start within a period, oldest first. */
  read(instrument: InstrumentId, period: { from: number; to: number }): BarColumns
  close(): void
}

export const RING_SECONDS = 86_400
const SECOND_MS = 1_000
/** Start, open, high, low and close as 32 bits each, volume as a double, a checksum. Divides a sector of a disk. */
const RECORD_BYTES = 32
const CHECKED_BYTES = 28
/** In the folder's name: a later format gets another one and this one is left to expire. */
const FORMAT = 'v1'

/** Opens the ring in a folder. A record that a crash tore fails its checksum and is skipped. */
export function openSecondRing(folder: string): SecondRing {
  const home = join(folder, FORMAT)
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const handles = new Map<InstrumentId, number>()

  function handleOf(instrument: InstrumentId): number {
    const known = handles.get(instrument)
    if (known !== undefined) return known
    const file = join(home, `${instrument}.ring`)
    closeSync(openSync(file, 'a', 0o600))
    const handle = openSync(file, 'r+')
    handles.set(instrument, handle)
    return handle
  }

  function readSlots(instrument: InstrumentId, first: number, count: number): Buffer {
    const buffer = Buffer.alloc(count * RECORD_BYTES)
    readSync(handleOf(instrument), buffer, 0, buffer.length, first * RECORD_BYTES)
    return buffer
  }

  return {
    write(instrument, bar) {
      const second = bar.start / SECOND_MS
      writeSync(handleOf(instrument), encode(bar), 0, RECORD_BYTES, (second % RING_SECONDS) * RECORD_BYTES)
    },
    read(instrument, { from, to }) {
      const end = Math.ceil(to / SECOND_MS)
      const begin = Math.max(Math.ceil(from / SECOND_MS), end - RING_SECONDS)
      const rows: number[][] = []
      for (let second = begin; second < end; ) {
        const slot = second % RING_SECONDS
        const count = Math.min(end - second, RING_SECONDS - slot)
        collect(readSlots(instrument, slot, count), second, rows)
        second += count
      }
      return columnsOf(instrument, rows)
    },
    close() {
      for (const handle of handles.values()) closeSync(handle)
      handles.clear()
    },
  }
}

function encode({ start, open, high, low, close, volume }: Bar): Buffer {
  const record = Buffer.alloc(RECORD_BYTES)
  for (const [place, value] of [start / SECOND_MS, open, high, low, close].entries()) {
    record.writeUInt32LE(value, place * 4)
  }
  record.writeDoubleLE(volume, 20)
  record.writeUInt32LE(crc32(record.subarray(0, CHECKED_BYTES)), CHECKED_BYTES)
  return record
}

/** Adds the records that are of the expected seconds; others are older than 24 hours, empty or torn. */
function collect(slots: Buffer, firstSecond: number, rows: number[][]): void {
  for (let at = 0; at < slots.length; at += RECORD_BYTES) {
    const second = slots.readUInt32LE(at)
    if (second !== firstSecond + at / RECORD_BYTES) continue
    if (slots.readUInt32LE(at + CHECKED_BYTES) !== crc32(slots.subarray(at, at + CHECKED_BYTES))) continue
    const prices = [4, 8, 12, 16].map((offset) => slots.readUInt32LE(at + offset))
    rows.push([second * SECOND_MS, ...prices, slots.readDoubleLE(at + 20)])
  }
}

function columnsOf(instrument: InstrumentId, rows: readonly number[][]): BarColumns {
  const bars = createColumns(instrument, '1s', rows.length)
  for (const [row, [start = 0, open = 0, high = 0, low = 0, close = 0, volume = 0]] of rows.entries()) {
    bars.start[row] = start
    bars.open[row] = open
    bars.high[row] = high
    bars.low[row] = low
    bars.close[row] = close
    bars.volume[row] = volume
  }
  return bars
}
