import { Buffer } from 'node:buffer'
import type { BarColumns } from '@binnacle/engine'
import { HOSTED_COLUMNS, type HostedStart } from './protocol.ts'

const NEWLINE = 10

/** Reads the line and the columns that follow it. */
export async function readStart(
  input: AsyncIterable<Buffer>,
): Promise<{ start: HostedStart; bars: readonly BarColumns[] }> {
  let head: Buffer[] = []
  let start: HostedStart | null = null
  let bytes = new Uint8Array(0)
  let filled = 0
  const fill = (chunk: Uint8Array) => {
    bytes.set(chunk, filled)
    filled += chunk.length
  }
  for await (const chunk of input) {
    if (start !== null) fill(chunk)
    else {
      const end = chunk.indexOf(NEWLINE)
      head.push(end < 0 ? chunk : chunk.subarray(0, end))
      if (end < 0) continue
      const parsed: HostedStart = JSON.parse(Buffer.concat(head).toString('utf8'))
      start = parsed
      head = []
      bytes = new Uint8Array(sizeOf(parsed))
      fill(chunk.subarray(end + 1))
    }
    if (filled === bytes.length) break
  }
  if (start === null || filled < bytes.length) throw new Error('the request ended early')
  return { start, bars: columnsOf(start, bytes.buffer) }
}

function sizeOf({ bars }: HostedStart): number {
  const rows = bars.reduce((sum, { length }) => sum + length, 0)
  return rows * HOSTED_COLUMNS.length * Float64Array.BYTES_PER_ELEMENT
}

function columnsOf({ bars }: HostedStart, buffer: ArrayBuffer): BarColumns[] {
  let offset = 0
  return bars.map(({ instrument, interval, length }) => {
    const column = () => {
      const values = new Float64Array(buffer, offset, length)
      offset += values.byteLength
      return values
    }
    const columns = Object.fromEntries(HOSTED_COLUMNS.map((name) => [name, column()]))
    // The parent sent the columns of its own bars, in this order.
    return { instrument, interval, length, ...columns } as unknown as BarColumns
  })
}
