import { crc32 } from 'node:zlib'
import { Fault } from '@binnacle/engine'

/** An entry as it is stored, with the checksum over its text and its predecessor's checksum. */
export interface Line {
  seq: number
  text: string
  chain: number
}

/** An entry's place in the chain, without its text. */
export type Link = Pick<Line, 'seq' | 'chain'>

/** What stands before the first entry. */
export const CHAIN_START: Link = { seq: 0, chain: 0 }

/** The checksum of an entry that follows the one with the given checksum. */
export function chainAfter(chain: number, text: string): number {
  return crc32(text, chain)
}

/** Throws unless the line follows the link and is as it was written. */
export function verifyLine(line: Line, last: Link): void {
  if (line.seq !== last.seq + 1) throw gap(line.seq, last.seq)
  if (chainAfter(last.chain, line.text) !== line.chain) {
    throw damaged(`entry ${line.seq} is not as it was written`)
  }
}

export function gap(found: number, last: number): Fault {
  return new Fault('journal.gap', `entry ${found} follows entry ${last}: something is missing`)
}

export function damaged(what: string): Fault {
  return new Fault('journal.damaged', `the journal is damaged: ${what}`)
}
